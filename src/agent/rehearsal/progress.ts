/** How far a turn of the rehearsal model has come, read from the messages: a step ends with a call. */
import type { PromptMessage } from '../../ports/agent.js';
import { scriptOf, type Action } from '../rehearsal-script.js';

type Messages = readonly PromptMessage[];
type Call = Extract<Action, { do: 'call' }>;

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
