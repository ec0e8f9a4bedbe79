/** The settings: `config.json` in the home, overridden by variables. Unknown keys and wrong values are refused. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { Permission } from '../contract/route.js';
import { RETRY_FIGURES } from '../domain/notice/settle.js';
import { EXCERPT_LIMITS } from '../domain/output/excerpt.js';
import { defaultBudget } from '../domain/session/budget.js';
import { defaultResume } from '../domain/session/resume.js';
import { errno } from '../errno.js';

/** A program that is started, or an address. */
const McpServer = z.union(
  [
    z.strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
      cwd: z.string().startsWith('/').optional(),
    }),
    z.strictObject({
      url: z.url({ protocol: /^https?$/ }),
      headers: z.record(z.string(), z.string()).optional(),
    }),
  ],
  'a server has a command, with args, env and cwd, or a url, with headers',
);

const int = (min: number, max: number, byDefault: number) => z.int().min(min).max(max).default(byDefault);

/** Keys that belong together and may all be missing. */
const group = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess((given) => (given === undefined ? {} : given), z.strictObject(shape));

const Configuration = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: int(0, 65_535, 7673),
  /** Names besides loopback under which the host can be reached, as in the Host header. */
  allowedHosts: z.array(z.string().toLowerCase()).default([]),
  allowedOrigins: z.array(z.url()).default([]),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Runs the commands; by default bash if installed, otherwise sh. */
  shell: z.string().startsWith('/').optional(),
  limits: group({
    processes: int(1, 10_000, 64),
    processesPerSession: int(1, 10_000, 16),
    waitingInputs: int(1, 1_000, 16),
  }),
  output: group({ quotaBytes: z.int().min(65_536).default(67_108_864) }),
  kill: group({ graceMs: int(0, 600_000, 5_000) }),
  watch: group({
    /** At most one match per process is reported per window. */
    cooldownMs: int(100, 3_600_000, 15_000),
    /** Watching ends after this many windows in a row with matches held back. */
    strikes: int(1, 100, 3),
  }),
  breaker: group({
    max: int(1, 10_000, 15),
    windowMs: int(100, 3_600_000, 10_000),
    silenceMs: int(100, 3_600_000, 30_000),
  }),
  notices: group({
    /** How much of the output the notice of an end shows. */
    tailLines: int(0, 1_000, EXCERPT_LIMITS.lines),
    tailCharacters: int(0, 100_000, EXCERPT_LIMITS.characters),
  }),
  delivery: group({
    timeoutMs: int(100, 600_000, 10_000),
    attempts: int(1, 100, RETRY_FIGURES.attempts),
    firstRetryMs: int(10, 3_600_000, RETRY_FIGURES.firstRetryMs),
    longestRetryMs: int(10, 86_400_000, RETRY_FIGURES.longestRetryMs),
  }).refine(({ firstRetryMs, longestRetryMs }) => firstRetryMs <= longestRetryMs, {
    path: ['longestRetryMs'],
    error: 'it is shorter than firstRetryMs',
  }),
  /** Notifying browsers whose page is closed. */
  push: group({
    timeoutMs: int(100, 600_000, 10_000),
    attempts: int(1, 100, 4),
    firstRetryMs: int(10, 3_600_000, 2_000),
    longestRetryMs: int(10, 3_600_000, 60_000),
    /** A push waits this long; a person who is looking at the page has seen it by then. */
    delayMs: int(0, 600_000, 2_000),
    /** Whom a push service can contact about this host. */
    contact: z.url({ protocol: /^(?:mailto|https)$/ }).default('mailto:nobody@rouse.invalid'),
    /** For a push service on this machine. */
    allowLoopback: z.boolean().default(false),
  }),
  /** MCP servers by name; the name is the prefix of their tools. */
  mcpServers: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,30}$/, 'a name is up to 30 letters, digits, - and _'), McpServer)
    .default({}),
  /** For sessions that name no model, as `PROVIDER/MODEL`; the default depends on the keys in the environment. */
  model: z.string().min(1).optional(),
  /** OpenAI-compatible servers by name, for example Ollama, vLLM or OpenRouter. */
  providers: z
    .record(
      z.string().regex(/^[a-z0-9-]+$/, 'names are small letters, digits and dashes'),
      z.strictObject({
        baseUrl: z.url({ protocol: /^https?$/ }),
        apiKeyEnv: z.string().min(1).optional(),
        contextWindow: z.int().min(1_000).optional(),
      }),
    )
    .default({}),
  turns: group({
    stepLimit: int(1, 1_000, 50),
    /** How long a question waits for a person. */
    questionMs: int(100, 86_400_000, 600_000),
    /** How long a host that stops waits for turns to end by themselves. */
    drainMs: int(0, 600_000, 5_000),
    /** After this a foreground command continues in the background. */
    foregroundMs: int(100, 600_000, 10_000),
  }),
  /** Wakes in a row without a person; later notices come as one digest. */
  budget: group({
    wakes: int(1, 10_000, defaultBudget.wakes),
    windowMs: int(1_000, 604_800_000, defaultBudget.windowMs),
  }),
  /** Resuming turns that a restart interrupted. */
  resume: group({
    freshMs: z.int().min(0).default(defaultResume.freshMs),
    tries: int(0, 100, defaultResume.tries),
    badBoots: int(1, 20, defaultResume.boots.count),
    badBootsWithinMs: z.int().min(1_000).default(defaultResume.boots.withinMs),
  }),
  /** Which commands of an agent a person is asked about. */
  approval: z.enum(['risky', 'ask', 'allow', 'deny']).default('risky'),
  /** What a command that Rouse started may do through `rouse` without a person. */
  processesMay: z.array(Permission).default([]),
  retention: group({ days: z.number().min(0).default(7), count: z.int().min(0).default(1_000) }),
});
export type Configuration = z.infer<typeof Configuration>;

/** The message names the key and the reason. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

export const homeOf = (env: NodeJS.ProcessEnv): string => resolve(env['ROUSE_HOME'] || join(homedir(), '.rouse'));

export function configurationOf(
  home: string,
  env: NodeJS.ProcessEnv,
  given: { port?: number; host?: string } = {},
): Configuration {
  const path = join(home, 'config.json');
  const merged = { ...parsed(path), ...variables(env), ...given };
  // Checked once: compiling a parser would take longer.
  const checked = Configuration.safeParse(merged, { jitless: true });
  if (!checked.success) {
    const reasons = checked.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
    throw new ConfigurationError(
      `The configuration cannot be used (${path} and ROUSE_… variables). ${reasons.join('; ')}.`,
    );
  }
  if (env['ROUSE_DATABASE'])
    throw new ConfigurationError('ROUSE_DATABASE is set, but this version keeps its store in SQLite only. Unset it.');
  return checked.data;
}

function parsed(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errno(error) === 'ENOENT') return {};
    throw new ConfigurationError(`${path} cannot be read: ${String(error)}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (error) {
    throw new ConfigurationError(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw new ConfigurationError(`${path} must hold one JSON object.`);
}

/** Which key each variable overrides. */
const VARIABLES = {
  ROUSE_HOST: 'host',
  ROUSE_PORT: 'port',
  ROUSE_LOG_LEVEL: 'logLevel',
  ROUSE_SHELL: 'shell',
  ROUSE_MODEL: 'model',
} satisfies Record<string, keyof Configuration>;

const variables = (env: NodeJS.ProcessEnv): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(VARIABLES).flatMap(([variable, key]) => {
      const value = env[variable];
      return value ? [[key, key === 'port' ? Number(value) : value]] : [];
    }),
  );
