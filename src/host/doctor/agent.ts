/** Checks what an agent needs from outside, its model and its MCP servers, with a real request and a time limit. */
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

export async function checkModel(env: NodeJS.ProcessEnv, configuration: Configuration): Promise<Finding> {
  const settings = modelSettings(env, configuration.providers);
  const name = configuration.model ?? settings.defaultModel;
  if (splitName(name).provider === REHEARSAL)
    return ok(
      'model',
      `${name}: built in, offline. For a real model set ANTHROPIC_API_KEY, OPENAI_API_KEY or "providers".`,
    );
  const providers = new Providers(settings, systemClock, BUDGET_MS);
  const provider = providers.of(name);
  const variable = provider ? !provider.apiKey && provider.apiKeyEnv : WELL_KNOWN.get(splitName(name).provider);
  if (variable)
    return fail('model', `${name} needs a key, but ${variable} is not set. Set it where the host is started.`);
  if (provider) return ask(provider, name);
  const found = await providers.find(name);
  return fail('model', 'why' in found ? found.why : `There is no model ${name} here.`);
}

const WELL_KNOWN = new Map([
  ['anthropic', 'ANTHROPIC_API_KEY'],
  ['openai', 'OPENAI_API_KEY'],
]);

async function ask(provider: ProviderSettings, name: string): Promise<Finding> {
  const signal = AbortSignal.timeout(BUDGET_MS);
  try {
    const models = (await askForModels(provider, signal)).map(({ id }) => id);
    // A name without its date means the newest of that name.
    if (models.some((id) => id === name || id.startsWith(`${name}-`))) return ok('model', `${name} is available.`);
    const some = models.slice(0, LISTED).join(', ');
    return fail(
      'model',
      `${provider.baseUrl} has no model ${name}. Set "model" to one that it has: ${some || 'none'}.`,
    );
  } catch (error) {
    if (signal.aborted) return fail('model', unreachable(provider, `no answer within ${BUDGET_MS / 1_000} s`));
    const why = reasonOf(error);
    // Not every compatible server lists its models.
    return /status 40[45]/.test(why)
      ? warn('model', `${provider.baseUrl} answers but does not list its models, so ${name} could not be checked.`)
      : fail('model', unreachable(provider, why));
  }
}

const unreachable = ({ baseUrl, apiKeyEnv }: ProviderSettings, why: string): string =>
  `${baseUrl} cannot be used: ${why}. Check the address${apiKeyEnv ? ` and ${apiKeyEnv}` : ''}.`;

export const checkMcpServers = ({ mcpServers }: Configuration): Promise<readonly Finding[]> =>
  Promise.all(Object.entries(mcpServers).map(([name, settings]) => checkMcpServer(name, settings)));

async function checkMcpServer(name: string, settings: McpServerSettings): Promise<Finding> {
  const check = `mcp ${name}`;
  const connection = await McpConnection.to(settings, version);
  try {
    const late = pause(systemClock, BUDGET_MS).then(() =>
      Promise.reject(new Error(`no answer within ${BUDGET_MS / 1_000} s`)),
    );
    const tools = await Promise.race([connection.open(BUDGET_MS), late]);
    return ok(check, `Answers, with ${tools.length} tools.`);
  } catch (error) {
    const said = connection.said ? `; its output: ${connection.said}` : '';
    return fail(
      check,
      `Does not work: ${reasonOf(error)}${said}. Its tools are missing: correct "mcpServers" in config.json.`,
    );
  } finally {
    await connection.close().catch(() => undefined);
  }
}
