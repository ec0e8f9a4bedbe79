/** Our agent's step: finds the model, asks it, and asks again where that is worth it. */
import { createHash } from 'node:crypto';
import { isFailure, type Agent, type AgentFailure, type ThinkRequest, type Thought } from '../ports/agent.js';
import { pause, type Clock } from '../ports/clock.js';
import { PATIENCE, pauseAfter, type Patience } from './back-off.js';
import { knownModel, type KnownModel } from './known-models.js';
import { aborted, type Model } from './model.js';
import { Providers, splitName } from './providers.js';
import { REHEARSAL, type ModelSettings } from './settings.js';
import { roughTokens } from './tokens.js';

export type ModelAgentOptions = {
  readonly settings: ModelSettings;
  readonly clock: Clock;
  /** What the providers say themselves about the windows of their models. */
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

  /** Somebody else's address may serve anything under a well-known name. */
  #known(model: string): KnownModel | undefined {
    return this.#providers.of(model)?.protocol === 'chat' ? undefined : knownModel(model);
  }

  tokens(text: string): number {
    return roughTokens(text);
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
