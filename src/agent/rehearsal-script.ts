/**
 * What the rehearsal model reads in a person's message, line by line.
 *
 *   call TOOL {json}     a tool call, one a step
 *   say TEXT             these words
 *   hold MS              stays busy for this long
 *   fail KIND            fails as a provider would
 *   on-wake LINE         kept for the next wake; `on-wake on-wake LINE` for the one after it
 *   … `COMMAND` …        runs the command in the background with notify, and says so
 *   anything else        is answered in a sentence
 */
import type { AgentFailure, PromptMessage } from '../ports/agent.js';
import { jsonOr } from './model.js';

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
  `You said "${words.length > 80 ? `${words.slice(0, 80)}…` : words}", and I am only the rehearsal model: I run commands that you put in backticks; for more, configure a model.`;

type Messages = readonly PromptMessage[];
type Call = Extract<Action, { do: 'call' }>;

/** How far a turn has come, read from the messages: a step ends with a call. */
export type Progress = {
  /** What was said and done since the person's message or the wake that began the turn, that one included. */
  readonly turn: Messages;
  /** What the model has not seen yet: all since it last spoke. */
  readonly news: Messages;
  /** What is left of the script. The next call ends the step. */
  readonly left: readonly Action[];
  /** The call whose result is among the news. */
  readonly made?: Call;
};

export function progressOf(messages: Messages): Progress {
  const turn = messages.slice(Math.max(0, beginningOf(messages)));
  const news = turn.slice(turn.findLastIndex((message) => message.role === 'agent') + 1);
  const script = wholeScript(messages);
  const calls = script.filter((action) => action.do === 'call');
  const made = calls[callsIn(turn) - 1];
  const left = made ? script.slice(script.indexOf(made) + 1) : callsIn(turn) > 0 ? [] : script;
  return { turn, news, left, ...(made && { made }) };
}

export const callsIn = (messages: Messages): number =>
  messages.reduce((sum, message) => sum + (message.role === 'agent' ? message.calls.length : 0), 0);

/** A notice without a cause is a remark of the host, and begins nothing. */
const isWake = (message: PromptMessage | undefined): boolean =>
  message?.role === 'notice' && !message.midTurn && message.causes.length > 0;

/** Notices that stand together are one wake. */
function beginningOf(messages: Messages): number {
  let at = messages.findLastIndex((message) => message.role === 'person' || isWake(message));
  while (isWake(messages[at]) && isWake(messages[at - 1])) at--;
  return at;
}

/** All that the last person's message asks for in this turn. */
function wholeScript(messages: Messages): readonly Action[] {
  const asked = messages.findLastIndex((message) => message.role === 'person');
  const message = messages[asked];
  if (message?.role !== 'person') return [];
  const wakes = messages.filter((each, at) => at > asked && isWake(each) && !isWake(messages[at - 1])).length;
  return scriptOf(message.text, wakes);
}
