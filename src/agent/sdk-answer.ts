/**
 * Builds a thought from the streamed parts of an answer.
 *
 *   1. The deltas and the thought have the same words.
 *   2. There is no thought unless the provider says that it has finished: no half sentence, and no half call.
 *   3. A model that had to stop in the middle of a call has not made that call.
 */
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import { tokensOf } from '../domain/session/compaction.js';
import type { Delta, Kept, Thought, ToolCall, Usage } from '../ports/agent.js';
import { jsonOr } from './model.js';
import { callPart } from './sdk-prompt.js';

type Sealed = { providerOptions?: SharedV3ProviderMetadata };
type Words = Sealed & { readonly type: Delta['kind']; text: string };
type Called = Sealed & { readonly type: 'call'; readonly call: ToolCall };
type WordsPart = { readonly id: string; readonly delta?: string; readonly providerMetadata?: SharedV3ProviderMetadata };
type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

export class Answer {
  /** In the order in which it came. */
  readonly #content: (Words | Called)[] = [];
  readonly #open = new Map<string, Words>();
  #finish: Finish | undefined;
  #begun = false;

  constructor(readonly told: (delta: Delta) => void) {}

  /** Whether anything of it has come, be it only the beginning of a call. */
  get begun(): boolean {
    return this.#begun;
  }

  take(part: LanguageModelV3StreamPart): void {
    if (part.type === 'text-start' || part.type === 'text-delta') this.#hear('text', part);
    else if (part.type === 'reasoning-start' || part.type === 'reasoning-delta') this.#hear('reasoning', part);
    else if (part.type === 'text-end') this.#close('text', part);
    else if (part.type === 'reasoning-end') this.#close('reasoning', part);
    else if (part.type === 'tool-input-start') this.#begun = true;
    else if (part.type === 'tool-call') this.#call(part);
    else if (part.type === 'finish') this.#finish = part;
  }

  /** Undefined when it ended before it was whole. */
  thought(provider: string, shownTokens: () => number): Thought | undefined {
    if (!this.#finish || unfinished(this.#finish.finishReason)) return undefined;
    const { finishReason, usage } = this.#finish;
    const content = this.#content.filter((part) => part.type !== 'call' || !cutOff(part.call, finishReason));
    const calls = content.flatMap((part) => (part.type === 'call' ? part.call : []));
    const [text, reasoning] = [wordsOf(content, 'text'), wordsOf(content, 'reasoning')];
    return {
      text,
      reasoning,
      calls,
      finish: calls.length > 0 ? 'tools' : finishOf(finishReason),
      usage: usageOf(usage, shownTokens, () => tokensOf(text + reasoning + JSON.stringify(calls))),
      ...keptOf(provider, content),
    };
  }

  #hear(type: Delta['kind'], { id, delta = '', providerMetadata }: WordsPart): void {
    const words = this.#open.get(`${type} ${id}`) ?? this.#opened(type, id);
    seal(words, providerMetadata);
    if (delta === '') return;
    this.#begun = true;
    const apart = words.text === '' && wordsOf(this.#content, type) !== '' ? APART : '';
    words.text += delta;
    this.told({ kind: type, text: apart + delta });
  }

  #opened(type: Delta['kind'], id: string): Words {
    const words: Words = { type, text: '' };
    this.#content.push(words);
    this.#open.set(`${type} ${id}`, words);
    return words;
  }

  #close(type: Delta['kind'], { id, providerMetadata }: WordsPart): void {
    const words = this.#open.get(`${type} ${id}`);
    if (words) seal(words, providerMetadata);
    this.#open.delete(`${type} ${id}`);
  }

  #call(part: Extract<LanguageModelV3StreamPart, { type: 'tool-call' }>): void {
    this.#begun = true;
    const input = part.input.trim() === '' ? {} : jsonOr(part.input);
    const called: Called = { type: 'call', call: { id: part.toolCallId, tool: part.toolName, input } };
    seal(called, part.providerMetadata);
    this.#content.push(called);
  }
}

/** Between two blocks of words. */
const APART = '\n\n';

/** What comes later is the truer: a signature follows its words. */
function seal(part: Sealed, metadata: SharedV3ProviderMetadata | undefined): void {
  if (metadata) part.providerOptions = { ...part.providerOptions, ...metadata };
}

const wordsOf = (content: readonly (Words | Called)[], type: Delta['kind']): string =>
  content.flatMap((part) => (part.type === type && part.text !== '' ? part.text : [])).join(APART);

/** The SDK says `other` by itself when a stream ends without a reason. */
const unfinished = ({ unified, raw }: LanguageModelV3FinishReason): boolean =>
  unified === 'error' || (unified === 'other' && raw === undefined);

const cutOff = ({ input }: ToolCall, { unified }: LanguageModelV3FinishReason): boolean =>
  unified === 'length' && typeof input === 'string';

function finishOf({ unified }: LanguageModelV3FinishReason): Thought['finish'] {
  if (unified === 'length') return 'length';
  return unified === 'content-filter' ? 'filtered' : 'stop';
}

/** Servers of one's own do not always count. */
function usageOf(usage: LanguageModelV3Usage, shown: () => number, answered: () => number): Usage {
  const cachedTokens = usage.inputTokens.cacheRead;
  return {
    inputTokens: usage.inputTokens.total ?? shown(),
    outputTokens: usage.outputTokens.total ?? answered(),
    ...(cachedTokens && { cachedTokens }),
  };
}

/** Only where something of the answer is sealed is there anything to keep. */
function keptOf(provider: string, content: readonly (Words | Called)[]): { readonly kept?: Kept } {
  if (!content.some(({ providerOptions }) => providerOptions)) return {};
  const parts = content
    .filter((part) => part.type !== 'text' || part.text.trim() !== '')
    .map((part) => (part.type === 'call' ? { ...callPart(part.call), ...sealOf(part) } : part));
  return { kept: { provider, content: parts } };
}

const sealOf = ({ providerOptions }: Sealed) => (providerOptions ? { providerOptions } : {});
