/** A model behind a provider package of the SDK: one question, one streamed answer. */
import type { LanguageModelV3, LanguageModelV3StreamPart, SharedV3ProviderOptions } from '@ai-sdk/provider';
import { tokensOfAll } from '../domain/session/compaction.js';
import type { AgentFailure, Thought } from '../ports/agent.js';
import type { Alarm, Clock } from '../ports/clock.js';
import { failureAs, failureOf, type Failing } from './failure.js';
import { aborted, type Attempt, type Model } from './model.js';
import { Answer } from './sdk-answer.js';
import { promptOf, toolsOf } from './sdk-prompt.js';

export type SdkModelOptions = {
  readonly provider: string;
  readonly model: LanguageModelV3;
  readonly providerOptions: SharedV3ProviderOptions;
  readonly clock: Clock;
  /** A provider that sends nothing for this long has failed. Models that reason in silence take minutes. */
  readonly silenceMs: number;
  readonly redact: (text: string) => string;
};

export class SdkModel implements Model {
  constructor(readonly options: SdkModelOptions) {}

  async attempt(request: Attempt): Promise<Thought | AgentFailure> {
    const answer = new Answer((delta) => request.signal.aborted || request.told(delta));
    using silence = new Silence(this.options.clock, this.options.silenceMs);
    const outcome = await this.#ask(request, answer, silence);
    if (request.signal.aborted) return aborted;
    if (silence.signal.aborted)
      return this.#broken(answer, `it has said nothing for ${this.options.silenceMs / 1_000} s`);
    return outcome;
  }

  async #ask(request: Attempt, answer: Answer, silence: Silence): Promise<Thought | AgentFailure> {
    for await (const part of this.#parts(request, silence.signal)) {
      silence.broken();
      if (part.type === 'error') return this.#failure(part.error, answer);
      answer.take(part);
    }
    const whole = answer.thought(this.options.provider, () => tokensOfAll(request.messages));
    return whole ?? this.#broken(answer, 'it ended before it was whole');
  }

  /** What the provider throws becomes a part like any other; what we throw stays a fault. */
  async *#parts(
    { messages, tools, signal }: Attempt,
    silent: AbortSignal,
  ): AsyncGenerator<LanguageModelV3StreamPart, void, void> {
    const { provider, model, providerOptions } = this.options;
    const question = {
      prompt: promptOf(provider, messages),
      ...(tools.length > 0 && { tools: toolsOf(tools) }),
      abortSignal: AbortSignal.any([signal, silent]),
      providerOptions,
    };
    try {
      const { stream } = await model.doStream(question);
      yield* stream;
    } catch (error) {
      yield { type: 'error', error };
    }
  }

  #failure(error: unknown, answer: Answer): AgentFailure {
    const failure = failureOf(error, this.#failing());
    return answer.begun ? failureAs('broken-off', failure.why, this.#failing()) : failure;
  }

  /** Before the first part it counts as unreachable; after it, as broken off. */
  #broken(answer: Answer, why: string): AgentFailure {
    return failureAs(answer.begun ? 'broken-off' : 'unreachable', why, this.#failing());
  }

  #failing(): Failing {
    const { provider, clock, redact } = this.options;
    return { provider, now: clock.now(), redact };
  }
}

/** Aborts its signal when nothing was heard for too long. Hearing something reads the clock and sets no timer. */
class Silence implements Disposable {
  readonly #tooLong = new AbortController();
  #heardAt: number;
  #alarm: Alarm;

  constructor(
    readonly clock: Clock,
    readonly longestMs: number,
  ) {
    this.#heardAt = clock.monotonic();
    this.#alarm = clock.alarm(longestMs, () => this.#check());
  }

  get signal(): AbortSignal {
    return this.#tooLong.signal;
  }

  broken(): void {
    this.#heardAt = this.clock.monotonic();
  }

  #check(): void {
    const left = this.#heardAt + this.longestMs - this.clock.monotonic();
    if (left <= 0) this.#tooLong.abort();
    else this.#alarm = this.clock.alarm(left, () => this.#check());
  }

  [Symbol.dispose](): void {
    this.#alarm.clear();
  }
}
