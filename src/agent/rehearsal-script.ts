/**
 * What the rehearsal model reads in a person's message, line by line.
 *
 *   call TOOL {json}     a tool call, one a step
 *   say TEXT             these words
 *   hold MS              stays busy for so long
 *   fail KIND            fails as a provider would
 *   on-wake LINE         kept for the next wake; `on-wake on-wake LINE` for the one after it
 *   … `COMMAND` …        runs the command in the background with notify, and says so
 *   anything else        is answered in a sentence
 */
import type { AgentFailure } from '../ports/agent.js';
import { jsonOr } from './json.js';

export type Action =
  | { readonly do: 'say'; readonly text: string }
  | { readonly do: 'call'; readonly tool: string; readonly input: unknown; readonly command?: string }
  | { readonly do: 'hold'; readonly ms: number }
  | { readonly do: 'fail'; readonly as: AgentFailure['failed'] };

/** The script for the nth wake after the message; for the message itself, n is 0. */
export function scriptOf(message: string, wake: number): readonly Action[] {
  const lines = message.split(/\r?\n/).filter((line) => line.trim() !== '');
  const ours = lines.map(unwrapped).filter(({ wakes }) => wakes === wake);
  const plain = ours.filter(({ line }) => read(line) === undefined).map(({ line }) => line.trim());
  const answer: readonly Action[] = plain.length > 0 ? [{ do: 'say', text: answerTo(plain.join(' ')) }] : [];
  return [...ours.flatMap(({ line }) => read(line) ?? []), ...answer];
}

function unwrapped(text: string): { readonly line: string; readonly wakes: number } {
  const kept = /^\s*on-wake\s+(?<line>.*)$/s.exec(text)?.groups?.['line'];
  if (kept === undefined) return { line: text, wakes: 0 };
  const { line, wakes } = unwrapped(kept);
  return { line, wakes: wakes + 1 };
}

const FAILURES: readonly AgentFailure['failed'][] = [
  'rate-limited',
  'overloaded',
  'unreachable',
  'credentials',
  'no-credit',
  'refused',
  'broken-off',
];

/** The actions of a line; undefined when it is only words. */
function read(line: string): readonly Action[] | undefined {
  const [, word = '', rest = ''] = /^\s*(call|say|hold|fail)(?:\s+(.*?))?\s*$/s.exec(line) ?? [];
  const failure = FAILURES.find((kind) => kind === rest);
  if (word === 'say') return [{ do: 'say', text: rest }];
  if (word === 'call' && /^[\w-]+/.test(rest)) return [callOf(rest)];
  if (word === 'hold' && /^\d+$/.test(rest)) return [{ do: 'hold', ms: Number(rest) }];
  if (word === 'fail' && failure) return [{ do: 'fail', as: failure }];
  return commandsIn(line);
}

function callOf(text: string): Action {
  const [, tool = '', input = ''] = /^([\w-]+)\s*(.*)$/s.exec(text) ?? [];
  return { do: 'call', tool, input: input === '' ? {} : jsonOr(input) };
}

function commandsIn(line: string): readonly Action[] | undefined {
  const commands = [...line.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command);
  if (commands.length === 0) return undefined;
  return commands.map((command) => ({
    do: 'call',
    tool: 'terminal',
    input: { command, background: true, notify_on_complete: true },
    command,
  }));
}

const answerTo = (words: string): string =>
  `You said "${words.length > 80 ? `${words.slice(0, 80)}…` : words}", and I am only the rehearsal model: I start what stands in backticks, and for more you configure a model.`;
