/** Which providers there are, read from the variables and from `providers` in config.json. */

export type ProviderSettings = {
  readonly name: string;
  /** `responses` is OpenAI's newer protocol; `chat` is the one called OpenAI-compatible. */
  readonly protocol: 'anthropic' | 'responses' | 'chat';
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** The variable that holds the key: it stays the same when the key is exchanged. */
  readonly apiKeyEnv?: string;
  readonly contextWindow?: number;
};

export type ModelSettings = {
  /** For sessions that name none. */
  readonly defaultModel: string;
  readonly providers: readonly ProviderSettings[];
};

/** As it stands under `providers` in config.json. */
export type ConfiguredProvider = {
  readonly baseUrl: string;
  readonly apiKeyEnv?: string | undefined;
  readonly contextWindow?: number | undefined;
};

type Variables = Readonly<Record<string, string | undefined>>;

export const REHEARSAL = 'rehearsal';

/** Names in config.json win: `openai` there means that address. */
export function modelSettings(
  env: Variables,
  configured: Readonly<Record<string, ConfiguredProvider>> = {},
): ModelSettings {
  const named = Object.entries(configured).map(([name, provider]) => fromConfig(env, name, provider));
  const wellKnown = [anthropicOf(env), openaiOf(env)].filter((provider) => provider !== undefined);
  const providers = [...named, ...wellKnown.filter(({ name }) => !Object.hasOwn(configured, name))];
  return { defaultModel: env['ROUSE_MODEL'] || defaultOf(providers), providers };
}

/** What no command may inherit. */
export const secretVariables = ({ providers }: ModelSettings): readonly string[] =>
  providers.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? []);

function fromConfig(env: Variables, name: string, provider: ConfiguredProvider): ProviderSettings {
  const { apiKeyEnv, contextWindow } = provider;
  const apiKey = apiKeyEnv && env[apiKeyEnv];
  return {
    name,
    protocol: 'chat',
    baseUrl: trimmed(provider.baseUrl),
    ...(apiKey && { apiKey }),
    ...(apiKeyEnv && { apiKeyEnv }),
    ...(contextWindow && { contextWindow }),
  };
}

function anthropicOf(env: Variables): ProviderSettings | undefined {
  const apiKey = env['ANTHROPIC_API_KEY'];
  if (!apiKey) return undefined;
  const address = trimmed(env['ANTHROPIC_BASE_URL'] || 'https://api.anthropic.com');
  // The variable is written with and without the version by different programs.
  const baseUrl = address.endsWith('/v1') ? address : `${address}/v1`;
  return { name: 'anthropic', protocol: 'anthropic', baseUrl, apiKey, apiKeyEnv: 'ANTHROPIC_API_KEY' };
}

function openaiOf(env: Variables): ProviderSettings | undefined {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: address } = env;
  if (!apiKey && !address) return undefined;
  return {
    name: 'openai',
    protocol: address ? 'chat' : 'responses',
    baseUrl: trimmed(address || 'https://api.openai.com/v1'),
    apiKeyEnv: 'OPENAI_API_KEY',
    ...(apiKey && { apiKey }),
  };
}

/** Paths are appended to the address. */
const trimmed = (address: string): string => address.replace(/\/+$/, '');

function defaultOf(providers: readonly ProviderSettings[]): string {
  const has = (name: string) => providers.some((provider) => provider.name === name);
  if (has('anthropic')) return 'anthropic/claude-sonnet-4-5';
  if (has('openai')) return 'openai/gpt-5-mini';
  return REHEARSAL;
}
