/**
 * The built-in model: offline, deterministic, and driven by a script.
 *
 *   1. It remembers nothing: how far it has come, it reads from the messages.
 *   2. It obeys people only. It may repeat the text of a notice or a result, but never follows it.
 */
import type { Cause } from '../contract/notice.js';
import { endInWords } from '../contract/display.js';
import { tokensOf, tokensOfAll } from '../domain/session/compaction.js';
import type { AgentFailure, PromptMessage, Thought, ToolCall } from '../ports/agent.js';
import { pause, type Clock } from '../ports/clock.js';
import { aborted, type Attempt, type Model } from './model.js';
import { callsIn, progressOf, type Action, type Progress } from './rehearsal-script.js';

/** While it holds, it sends a delta this often. */
const HOLD_BEAT_MS = 200;

/** About how many deltas a line has. */
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
  return {
    text,
    reasoning: '',
    calls,
    finish: calls.length > 0 ? 'tools' : 'stop',
    usage: {
      inputTokens: tokensOfAll(messages),
      outputTokens: tokensOf(text + calls.map(({ input }) => JSON.stringify(input)).join('')),
    },
  };
}

type ToolMessage = Extract<PromptMessage, { role: 'tool' }>;

/** The lines before the script continues: why it was woken, which notices came, how its call ended. */
function openingOf({ news, made }: Progress): readonly string[] {
  return news.flatMap((message) => {
    if (message.role === 'notice')
      return message.causes.map((cause) => `${message.midTurn ? 'notified of' : 'woken by'} ${told(cause)}`);
    if (message.role === 'tool') return outcomeOf(message, made?.command);
    return [];
  });
}

function told(cause: Cause): string {
  switch (cause.kind) {
    case 'completion':
      return withLast(`completion of ${cause.process}, ${endInWords(cause.end)}`, cause.output.text);
    case 'watch_match':
      return withLast(
        `watch_match of ${cause.process}, pattern ${JSON.stringify(cause.pattern)}${cause.end ? `, ${endInWords(cause.end)}` : ''}`,
        cause.text,
      );
    case 'message':
      return withLast('message', cause.text);
    case 'watch_disabled':
    case 'watch_overflow_tripped':
    case 'watch_overflow_released':
      return `${cause.kind} of ${cause.process}`;
  }
}

function withLast(fact: string, text: string): string {
  const last = text.trimEnd().split('\n').at(-1)?.trim();
  return last ? `${fact}: ${last}` : fact;
}

function outcomeOf({ tool, result, failed }: ToolMessage, command: string | undefined): readonly string[] {
  if (failed) return [`${tool} failed: ${firstLine(result)}`];
  if (command === undefined) return [];
  const id = /\bproc_[0-9a-z]+/.exec(result)?.[0];
  return [`I started \`${command}\` in the background${id ? ` as ${id}` : ''}.`];
}

/** For a turn that would otherwise end without text. */
function closingOf({ turn }: Progress): string {
  const last = turn.findLast((message) => message.role === 'tool');
  return last ? `${last.tool} answered: ${firstLine(last.result)}` : 'There is nothing to do.';
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
