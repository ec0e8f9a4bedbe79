/** What a person filled in, as the host wants to be asked. */
import type { StartInput } from 'rouse/contract/process';

export type Told = 'nothing' | 'end' | 'pattern';

/** Fields of the form by their names; one that is empty, off or not shown says nothing. */
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
