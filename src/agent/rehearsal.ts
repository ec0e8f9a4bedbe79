/**
 * The model that is always there: offline, deterministic, and as obedient as a script.
 *
 *   1. It remembers nothing: how far it has come, it reads from the messages.
 *   2. It obeys people alone. What stands in a notice or in a result it repeats at most, and never reads.
 */
import type { AgentFailure, PromptMessage, Thought, ToolCall } from '../ports/agent.js';
import { pause, type Clock } from '../ports/clock.js';
import { aborted, type Attempt, type Model } from './model.js';
import { callsIn, progressOf } from './rehearsal/progress.js';
import type { Action } from './rehearsal-script.js';
import { closingOf, openingOf } from './rehearsal/sentences.js';
import { roughTokens } from './tokens.js';

/** While it holds, it lets hear of itself this often. */
const HOLD_BEAT_MS = 200;

/** A line is said in about so many deltas. */
const DELTAS_A_LINE = 6;

export class RehearsalModel implements Model {
  constructor(readonly clock: Clock) {}

  async attempt(request: Attempt): Promise<Thought | AgentFailure> {
    const progress = progressOf(request.messages);
    const words = new Words(request);
    for (const line of openingOf(progress)) words.line(line);
    const last = await this.#perform(progress.left, words, request.signal);
    if (request.signal.aborted) return aborted;
    if (last?.do === 'fail') return { failed: last.as, why: `The rehearsal model was told to fail with "${last.as}".` };
    const calls = last?.do === 'call' ? [callOf(request.messages, last)] : [];
    if (words.text === '' && calls.length === 0) words.line(closingOf(progress));
    return thoughtOf(request.messages, words.text, calls);
  }

  /** Goes through the script up to the action that ends the step, and answers with that one. */
  async #perform(script: readonly Action[], words: Words, signal: AbortSignal): Promise<Action | undefined> {
    for (const action of script) {
      if (action.do === 'say') words.line(action.text);
      else if (action.do === 'hold') await this.#hold(action.ms, words, signal);
      else return action;
    }
  }

  async #hold(ms: number, words: Words, signal: AbortSignal): Promise<void> {
    const until = this.clock.monotonic() + ms;
    for (let left = ms; left > 0 && !signal.aborted; left = until - this.clock.monotonic()) {
      words.more('.');
      await pause(this.clock, Math.min(left, HOLD_BEAT_MS), signal);
    }
  }
}

class Words {
  text = '';

  constructor(readonly request: Pick<Attempt, 'told' | 'signal'>) {}

  line(text: string): void {
    if (this.text !== '') this.more('\n');
    const letters = Array.from(text);
    const piece = Math.max(12, Math.ceil(letters.length / DELTAS_A_LINE));
    for (let at = 0; at < letters.length; at += piece) this.more(letters.slice(at, at + piece).join(''));
  }

  more(text: string): void {
    if (this.request.signal.aborted) return;
    this.text += text;
    this.request.told({ kind: 'text', text });
  }
}

const callOf = (messages: readonly PromptMessage[], { tool, input }: Omit<ToolCall, 'id'>): ToolCall => ({
  id: `call_${callsIn(messages) + 1}`,
  tool,
  input,
});

function thoughtOf(messages: readonly PromptMessage[], text: string, calls: readonly ToolCall[]): Thought {
  const shown = messages.map((message) => (message.role === 'tool' ? message.result : message.text));
  return {
    text,
    reasoning: '',
    calls,
    finish: calls.length > 0 ? 'tools' : 'stop',
    usage: {
      inputTokens: shown.reduce((sum, each) => sum + roughTokens(each), 0),
      outputTokens: roughTokens(text + calls.map(({ input }) => JSON.stringify(input)).join('')),
    },
  };
}
