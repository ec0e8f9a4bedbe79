/** What an agent needs from outside: its model and its MCP servers. Each is asked for real, within a few seconds. */
import { askForModels } from '../../agent/model-list.js';
import { Providers, splitName } from '../../agent/providers.js';
import { modelSettings, REHEARSAL, type ProviderSettings } from '../../agent/settings.js';
import { pause } from '../../ports/clock.js';
import { systemClock } from '../../clock/system.js';
import type { Configuration } from '../configuration.js';
import { McpConnection, type McpServerSettings } from '../../runtime/session/tools/mcp-connection.js';
import { version } from '../../version.js';
import { fail, ok, reasonOf, warn, type Finding } from './finding.js';

const BUDGET_MS = 4_000;
const LISTED = 5;

export async function lookAtModel(env: NodeJS.ProcessEnv, configuration: Configuration): Promise<Finding> {
  const settings = modelSettings(env, configuration.providers);
  const name = configuration.model ?? settings.defaultModel;
  if (splitName(name).provider === REHEARSAL)
    return ok(
      'model',
      `${name}: built in, offline. For a real one set ANTHROPIC_API_KEY, OPENAI_API_KEY or "providers".`,
    );
  const providers = new Providers(settings, systemClock, BUDGET_MS);
  const provider = providers.of(name);
  if (!provider) return fail('model', missingKey(name) ?? (await unknown(providers, name)));
  if (provider.apiKeyEnv && !provider.apiKey)
    return fail(
      'model',
      `${name} needs a key, and ${provider.apiKeyEnv} is not set. Set it where the host is started.`,
    );
  return ask(provider, name);
}

const WELL_KNOWN = new Map([
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['openai', 'OPENAI_API_KEY'],
]);

function missingKey(name: string): string | undefined {
  const variable = WELL_KNOWN.get(splitName(name).provider);
  return variable && `${name} needs a key, and ${variable} is not set. Set it where the host is started.`;
}

async function unknown(providers: Providers, name: string): Promise<string> {
  const found = await providers.find(name);
  return 'why' in found ? found.why : `There is no model ${name} here.`;
}

async function ask(provider: ProviderSettings, name: string): Promise<Finding> {
  const signal = AbortSignal.timeout(BUDGET_MS);
  try {
    const models = (await askForModels(provider, signal)).map(({ id }) => id);
    // A name without its date means the newest of that name.
    if (models.some((id) => id === name || id.startsWith(`${name}-`))) return ok('model', `${name} is there.`);
    const some = models.slice(0, LISTED).join(', ');
    return fail(
      'model',
      `${provider.baseUrl} has no model ${name}. Name another with "model"; it has: ${some || 'none'}.`,
    );
  } catch (error) {
    if (signal.aborted) return fail('model', unreachable(provider, `no answer within ${BUDGET_MS / 1_000} s`));
    const why = reasonOf(error);
    // Not every compatible server lists its models.
    return /status 40[45]/.test(why)
      ? warn('model', `${provider.baseUrl} answers, but does not list its models; whether ${name} works is not known.`)
      : fail('model', unreachable(provider, why));
  }
}

const unreachable = ({ baseUrl, apiKeyEnv }: ProviderSettings, why: string): string =>
  `${baseUrl} cannot be used: ${why}. Check the address${apiKeyEnv ? ` and ${apiKeyEnv}` : ''}.`;

export const lookAtMcpServers = ({ mcpServers }: Configuration): Promise<readonly Finding[]> =>
  Promise.all(Object.entries(mcpServers).map(([name, settings]) => lookAtMcpServer(name, settings)));

async function lookAtMcpServer(name: string, settings: McpServerSettings): Promise<Finding> {
  const check = `mcp ${name}`;
  const connection = await McpConnection.to(settings, version);
  try {
    const late = pause(systemClock, BUDGET_MS).then(() =>
      Promise.reject(new Error(`no answer within ${BUDGET_MS / 1_000} s`)),
    );
    const tools = await Promise.race([connection.open(BUDGET_MS), late]);
    return ok(check, `Answers, with ${tools.length} tools.`);
  } catch (error) {
    const said = connection.said ? `; it said: ${connection.said}` : '';
    return fail(
      check,
      `Does not work: ${reasonOf(error)}${said}. Its tools are missing: correct "mcpServers" in config.json.`,
    );
  } finally {
    await connection.close().catch(() => undefined);
  }
}
