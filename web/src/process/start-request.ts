/** Turns the fields of the form into a request. */
import type { StartInput } from 'rouse/contract/process';

export type Told = 'nothing' | 'end' | 'pattern';

/** The fields by name; empty, unchecked and hidden ones are ignored. */
export type Fields = Readonly<Record<string, string | undefined>>;

export function requestOf({ command = '', cwd, name, session, told, pattern, pty }: Fields): StartInput {
  return {
    command,
    ...(cwd?.trim() && { cwd: cwd.trim() }),
    ...(name?.trim() && { name: name.trim() }),
    ...(pty && { pty: true }),
    ...(session && { session }),
    ...(session && told === 'end' && { notifyOnComplete: true }),
    ...(session && told === 'pattern' && pattern && { watchPatterns: [pattern] }),
  };
}
