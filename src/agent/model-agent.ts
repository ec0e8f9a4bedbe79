/** One step of our agent: finds the model, asks it, and retries failures that pass. */
import { createHash } from 'node:crypto';
import { isFailure, type Agent, type AgentFailure, type ThinkRequest, type Thought } from '../ports/agent.js';
import { pause, type Clock } from '../ports/clock.js';
import { knownModel, type KnownModel } from './model-list.js';
import { aborted, type Model } from './model.js';
import { Providers, splitName } from './providers.js';
import { REHEARSAL, type ModelSettings } from './settings.js';

export type Patience = {
  readonly tries: number;
  readonly firstMs: number;
  readonly longestMs: number;
  /** From the first attempt to the last pause. A provider that asks for a longer pause is reported at once. */
  readonly budgetMs: number;
};

export const PATIENCE: Patience = { tries: 6, firstMs: 1_000, longestMs: 30_000, budgetMs: 90_000 };

/** How long to wait before the next attempt; undefined to give up. `dice`, from 0 to 1, spreads simultaneous failures. */
export function pauseAfter(
  failure: AgentFailure,
  { tries, spentMs, dice }: { readonly tries: number; readonly spentMs: number; readonly dice: number },
  patience: Patience,
): number | undefined {
  if (!PASSING.includes(failure.failed) || tries >= patience.tries) return undefined;
  const doubled = Math.min(patience.longestMs, patience.firstMs * 2 ** (tries - 1));
  const pauseMs = failure.retryAfterMs ?? Math.round(doubled * (0.75 + dice / 2));
  return spentMs + pauseMs <= patience.budgetMs ? pauseMs : undefined;
}

/** Outages and limits pass; everything else needs a person or a new turn. */
const PASSING: readonly AgentFailure['failed'][] = ['rate-limited', 'overloaded', 'unreachable'];

export type ModelAgentOptions = {
  readonly settings: ModelSettings;
  readonly clock: Clock;
  /** The window of a model as its provider reports it. */
  readonly windowOf?: (model: string) => number | undefined;
  readonly patience?: Patience;
  readonly silenceMs?: number;
  readonly dice?: () => number;
};

const SILENCE_MS = 300_000;

export class ModelAgent implements Agent {
  readonly #providers: Providers;

  constructor(readonly options: ModelAgentOptions) {
    const { settings, clock, silenceMs = SILENCE_MS } = options;
    this.#providers = new Providers(settings, clock, silenceMs);
  }

  async think(request: ThinkRequest): Promise<Thought | AgentFailure> {
    const model = await this.#providers.find(request.model);
    if ('failed' in model) return model;
    const outcome = await this.#askUntilAnswered(model, request);
    return isFailure(outcome) ? outcome : priced(outcome, this.#known(request.model));
  }

  async #askUntilAnswered(model: Model, request: ThinkRequest): Promise<Thought | AgentFailure> {
    const { clock, patience = PATIENCE, dice = Math.random } = this.options;
    const { signal, retrying } = request;
    const askedAt = clock.monotonic();
    let silent = true;
    const told: ThinkRequest['told'] = (delta) => {
      silent = false;
      request.told(delta);
    };
    for (let tries = 1; !signal.aborted; tries++) {
      const outcome = await model.attempt({ ...request, told });
      if (!isFailure(outcome) || !silent) return outcome;
      const past = { tries, spentMs: clock.monotonic() - askedAt, dice: dice() };
      const pauseMs = pauseAfter(outcome, past, patience);
      if (pauseMs === undefined) return outcome;
      retrying?.(outcome, pauseMs);
      await pause(clock, pauseMs, signal);
    }
    return aborted;
  }

  window(model: string): number {
    const { provider, model: name } = splitName(model);
    // `rehearsal/4000` has a window of 4,000: a long session in a few lines.
    if (provider === REHEARSAL) return Number(name) || 200_000;
    const said = this.#providers.of(model)?.contextWindow ?? this.options.windowOf?.(model);
    return said ?? this.#known(model)?.contextWindow ?? GUESSED_WINDOW;
  }

  /** A custom address may serve anything under a well-known name. */
  #known(model: string): KnownModel | undefined {
    return this.#providers.of(model)?.protocol === 'chat' ? undefined : knownModel(model);
  }

  credentials(model: string): string {
    const { name, baseUrl, apiKey } = this.#providers.of(model) ?? {};
    const all = JSON.stringify([name ?? splitName(model).provider, baseUrl, apiKey]);
    return createHash('sha256').update(all).digest('base64url').slice(0, 16);
  }
}

/** Small enough for most models that people run themselves. */
const GUESSED_WINDOW = 32_000;

function priced(thought: Thought, model: KnownModel | undefined): Thought {
  if (!model) return thought;
  const { input, cached, output } = model.price;
  const { inputTokens, outputTokens, cachedTokens = 0 } = thought.usage;
  const millionths = (inputTokens - cachedTokens) * input + cachedTokens * cached + outputTokens * output;
  return { ...thought, usage: { ...thought.usage, costUsd: millionths / 1_000_000 } };
}
