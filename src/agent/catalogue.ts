/**
 * Which models there are, without making anybody wait.
 *
 *   1. `list` answers at once: with what the providers said last, else with what is known without them.
 *   2. One refresh at a time, in the background, over within its budget whatever a provider does. A provider that
 *      hangs or fails keeps the list it had, and leaves the others theirs.
 *   3. A list belongs to the provider, address and credential that it was asked with (see `fingerprint`).
 */
import type { Clock } from '../ports/clock.js';
import { askForModels } from './model-list.js';
import { readLists, writeLists, type ListedModel, type Lists } from './catalogue/file.js';
import { fingerprint } from './catalogue/fingerprint.js';
import { KNOWN_MODELS, knownModel } from './known-models.js';
import { splitName } from './providers.js';
import { REHEARSAL, type ModelSettings, type ProviderSettings } from './settings.js';

export type ModelList = {
  readonly models: readonly ListedModel[];
  /** When the oldest of the providers' lists was made, in milliseconds since 1970. */
  readonly refreshedAt?: number;
  /** `built-in` when no provider has ever said what it has. */
  readonly source: 'built-in' | 'cached';
};

export type CatalogueOptions = {
  readonly settings: ModelSettings;
  /** The file that keeps the lists. */
  readonly path: string;
  readonly clock: Clock;
  /** Hears why a list could not be had. */
  readonly failed?: (provider: string, why: string) => void;
};

const BUDGET_MS = 4_000;
const FRESH_MS = 3_600_000;
/** A provider that failed is left alone for so long. */
const REST_MS = 60_000;

export class Catalogue {
  #lists: Lists | undefined;
  #refreshing: Promise<void> | undefined;
  /** By the monotonic clock. */
  #askedAt: number | undefined;
  #budget = new AbortController();

  constructor(readonly options: CatalogueOptions) {}

  list(): ModelList {
    if (this.#due()) void this.refresh();
    const lists = this.#own();
    const models = this.options.settings.providers.flatMap(
      (provider) => lists[fingerprint(provider)]?.models ?? this.#builtIn(provider),
    );
    const times = Object.values(lists).map(({ refreshedAt }) => refreshedAt);
    return {
      models: [...models, REHEARSAL_MODEL],
      ...(times.length > 0 ? { refreshedAt: Math.min(...times), source: 'cached' } : { source: 'built-in' }),
    };
  }

  /** Over when the providers have answered or the budget is spent. It never rejects; asked for twice, it happens once. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  /** Ends a refresh that is under way. */
  close(): void {
    this.#budget.abort();
  }

  windowOf(model: string): number | undefined {
    return Object.values(this.#own())
      .flatMap(({ models }) => models)
      .find(({ id }) => id === model)?.contextWindow;
  }

  async #refresh(): Promise<void> {
    const { clock, settings } = this.options;
    this.#askedAt = clock.monotonic();
    const budget = (this.#budget = new AbortController());
    const alarm = clock.alarm(BUDGET_MS, () => budget.abort());
    const before = this.#own();
    await Promise.all(settings.providers.map((provider) => this.#ask(provider, budget.signal)));
    alarm.clear();
    if (this.#own() === before) return;
    await writeLists(this.options.path, this.#own()).catch((error: unknown) => this.#failed('the cache', error));
  }

  async #ask(provider: ProviderSettings, signal: AbortSignal): Promise<void> {
    try {
      const models = await askForModels(provider, signal);
      this.#lists = { ...this.#own(), [fingerprint(provider)]: { refreshedAt: this.options.clock.now(), models } };
    } catch (error) {
      this.#failed(provider.name, signal.aborted ? `it has not answered within ${BUDGET_MS / 1_000} s` : error);
    }
  }

  #failed(who: string, error: unknown): void {
    this.options.failed?.(who, error instanceof Error ? error.message : String(error));
  }

  #due(): boolean {
    const { clock, settings } = this.options;
    if (this.#askedAt !== undefined && clock.monotonic() - this.#askedAt < REST_MS) return false;
    const fresh = (provider: ProviderSettings) => {
      const ageMs = clock.now() - (this.#own()[fingerprint(provider)]?.refreshedAt ?? Number.NEGATIVE_INFINITY);
      // A list from the future was made before the clock was set back.
      return ageMs >= 0 && ageMs < FRESH_MS;
    };
    return !settings.providers.every(fresh);
  }

  /** The lists of our own credentials. What others left in the file is void. */
  #own(): Lists {
    if (this.#lists) return this.#lists;
    const ours = new Set(this.options.settings.providers.map(fingerprint));
    const kept = Object.entries(readLists(this.options.path)).filter(([owner]) => ours.has(owner));
    return (this.#lists = Object.fromEntries(kept));
  }

  /** Of an address of one's own nothing is known but what its person named. */
  #builtIn({ name: provider, protocol }: ProviderSettings): readonly ListedModel[] {
    const { defaultModel } = this.options.settings;
    const named = splitName(defaultModel);
    const known = KNOWN_MODELS.filter(({ id }) => protocol !== 'chat' && splitName(id).provider === provider);
    const missing = named.provider === provider && !known.some(({ id }) => id === defaultModel);
    return [
      ...(missing ? [{ id: defaultModel, provider, name: knownModel(defaultModel)?.name ?? named.model }] : []),
      ...known.map(({ id, name, contextWindow }) => ({ id, provider, name, contextWindow })),
    ];
  }
}

const REHEARSAL_MODEL: ListedModel = {
  id: REHEARSAL,
  provider: REHEARSAL,
  name: 'Rehearsal: offline, follows directions, does not think',
};
