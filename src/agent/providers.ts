/** Finds the model that a name means. A provider's package is loaded when its first model is asked, and not before. */
import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { AgentFailure } from '../ports/agent.js';
import type { Clock } from '../ports/clock.js';
import { redactor } from '../domain/output/redaction.js';
import { redirected } from '../domain/session/redirect.js';
import type { Model } from './model.js';
import { RehearsalModel } from './rehearsal.js';
import { REHEARSAL, type ModelSettings, type ProviderSettings } from './settings.js';

type Language = (model: string) => LanguageModelV3;

export class Providers {
  readonly #loaded = new Map<string, Promise<Language>>();
  readonly #redact: (text: string) => string;

  constructor(
    readonly settings: ModelSettings,
    readonly clock: Clock,
    readonly silenceMs: number,
  ) {
    this.#redact = redactor(settings.providers.flatMap(({ apiKey }) => apiKey ?? [])).redact;
  }

  /** The provider of a model; undefined for the rehearsal model and for unknown names. */
  of(name: string): ProviderSettings | undefined {
    const { provider } = splitName(name);
    return this.settings.providers.find((each) => each.name === provider);
  }

  async find(name: string): Promise<Model | AgentFailure> {
    const { provider, model } = splitName(name);
    if (provider === REHEARSAL) return new RehearsalModel(this.clock);
    const settings = this.of(name);
    if (!settings || model === '') return this.#unknown(name);
    const [language, { SdkModel }] = await Promise.all([this.#load(settings), import('./sdk-model.js')]);
    return new SdkModel({
      provider,
      model: language(model),
      providerOptions: OPTIONS[settings.protocol],
      clock: this.clock,
      silenceMs: this.silenceMs,
      redact: this.#redact,
    });
  }

  #load(settings: ProviderSettings): Promise<Language> {
    const loaded = this.#loaded.get(settings.name) ?? LOAD[settings.protocol](settings);
    this.#loaded.set(settings.name, loaded);
    return loaded;
  }

  #unknown(name: string): AgentFailure {
    const known = [...this.settings.providers.map((provider) => `${provider.name}/…`), REHEARSAL].join(', ');
    return {
      failed: 'refused',
      why: `There is no model ${name} here. A model name has the form PROVIDER/MODEL. Configured: ${known}.`,
    };
  }
}

/** The model's own name may hold further slashes. */
export function splitName(name: string): { readonly provider: string; readonly model: string } {
  const [provider = '', ...model] = name.split('/');
  return { provider, model: model.join('/') };
}

/** Nothing is left with OpenAI: what has to come back comes back sealed, from our own journal. */
const OPTIONS: Record<ProviderSettings['protocol'], SharedV3ProviderOptions> = {
  anthropic: {},
  responses: { openai: { store: false } },
  chat: {},
};

/** A redirect becomes an answer that every provider package understands as a refusal, with our sentence in it. */
const fetchHere: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' });
  const message = redirected(response);
  if (message === undefined) return response;
  await response.body?.cancel();
  return Response.json({ type: 'error', error: { type: 'redirected', message } }, { status: response.status });
};

const LOAD: Record<ProviderSettings['protocol'], (settings: ProviderSettings) => Promise<Language>> = {
  async anthropic({ baseUrl, apiKey = '' }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: baseUrl, apiKey, fetch: fetchHere });
  },
  async responses({ baseUrl, apiKey = '' }) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const openai = createOpenAI({ baseURL: baseUrl, apiKey, fetch: fetchHere });
    return (model) => openai.responses(model);
  },
  async chat({ name, baseUrl, apiKey }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const key = apiKey && { apiKey };
    return createOpenAICompatible({ name, baseURL: baseUrl, includeUsage: true, fetch: fetchHere, ...key });
  },
};
