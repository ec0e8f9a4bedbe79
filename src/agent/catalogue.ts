/**
 * Which models there are. Listing them never waits.
 *
 *   1. `list` answers at once: with what the providers said last, else with what is known without them.
 *   2. One refresh at a time, in the background, over within its budget whatever a provider does. A provider that
 *      hangs or fails keeps the list it had, and leaves the others theirs.
 *   3. A list belongs to the provider, address and credential that it was asked with (see `fingerprint`).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { deadline, type Clock } from '../ports/clock.js';
import { askForModels, ListedModel, KNOWN_MODELS, knownModel } from './model-list.js';
import { jsonOr } from './model.js';
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
/** The pause after a refresh, whether it failed or not. */
const REST_MS = 60_000;

export class Catalogue {
  #lists: Lists | undefined;
  #refreshing: Promise<void> | undefined;
  /** By the monotonic clock. */
  #askedAt: number | undefined;
  readonly #closing = new AbortController();

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
    this.#closing.abort();
  }

  windowOf(model: string): number | undefined {
    return Object.values(this.#own())
      .flatMap(({ models }) => models)
      .find(({ id }) => id === model)?.contextWindow;
  }

  async #refresh(): Promise<void> {
    const { clock, settings } = this.options;
    this.#askedAt = clock.monotonic();
    using budget = deadline(clock, BUDGET_MS, this.#closing.signal);
    const before = this.#own();
    await Promise.all(settings.providers.map((provider) => this.#ask(provider, budget.signal)));
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

const Lists = z.record(z.string(), z.object({ refreshedAt: z.number(), models: z.array(ListedModel) }));
/** By fingerprint. */
type Lists = z.infer<typeof Lists>;

function readLists(path: string): Lists {
  try {
    return Lists.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // ENOENT at the first start; and whatever else is wrong with a cache, the providers know better.
    return {};
  }
}

async function writeLists(path: string, lists: Lists): Promise<void> {
  const temporary = `${path}.new`;
  await writeFile(temporary, JSON.stringify(lists), { mode: 0o600 });
  // One that a crash left behind keeps the mode it had.
  await chmod(temporary, 0o600);
  await rename(temporary, path);
}

/**
 * Identifies the owner of a list by provider, address and credential; a new key for the same account does not change it.
 * It contains no secret: only the variable that holds the key, the kind of key, and for a JSON Web Token its subject.
 */
function fingerprint({ name, protocol, baseUrl, apiKey, apiKeyEnv }: ProviderSettings): string {
  const owner = [name, protocol, baseUrl, apiKeyEnv ?? '', apiKey ? identityOf(apiKey) : 'nobody'];
  return createHash('sha256').update(JSON.stringify(owner)).digest('base64url').slice(0, 22);
}

/** The longer of two that fit comes first. */
const KINDS = ['sk-ant-api', 'sk-ant-oat', 'sk-ant-admin', 'sk-ant-', 'sk-proj-', 'sk-svcacct-', 'sk-or-', 'sk-'];

const identityOf = (key: string): string => subjectOf(key) ?? KINDS.find((kind) => key.startsWith(kind)) ?? 'a key';

/** For whom a JSON Web Token was issued. It is not verified: it grants no access. */
function subjectOf(key: string): string | undefined {
  const [, payload, signature] = key.split('.');
  if (!payload || !signature) return undefined;
  const claims = jsonOr(Buffer.from(payload, 'base64url').toString());
  if (typeof claims !== 'object' || claims === null) return undefined;
  const { iss, sub, aud } = claims as Record<string, unknown>;
  return JSON.stringify([iss, sub, aud]);
}
