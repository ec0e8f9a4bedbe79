/** What can be set: `config.json` in the home, then variables. Checked once; what is unknown or wrong is refused. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { Permission } from '../contract/route.js';
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

const Configuration = z.strictObject({
  host: z.string().default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(7673),
  /** Names under which the host may be reached beside loopback, as they stand in the Host header. */
  allowedHosts: z.array(z.string().toLowerCase()).default([]),
  allowedOrigins: z.array(z.url()).default([]),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** Runs the commands; bash where there is one, else sh. */
  shell: z.string().startsWith('/').optional(),
  limits: z
    .strictObject({
      processes: z.int().min(1).max(10_000).default(64),
      processesPerSession: z.int().min(1).max(10_000).default(16),
      waitingInputs: z.int().min(1).max(1_000).default(16),
    })
    .prefault({}),
  output: z.strictObject({ quotaBytes: z.int().min(65_536).default(67_108_864) }).prefault({}),
  kill: z.strictObject({ graceMs: z.int().min(0).max(600_000).default(5_000) }).prefault({}),
  watch: z
    .strictObject({
      /** At most one match of a process is told in so long a window. */
      cooldownMs: z.int().min(100).max(3_600_000).default(15_000),
      /** So many windows in a row with something held back end the watching. */
      strikes: z.int().min(1).max(100).default(3),
    })
    .prefault({}),
  breaker: z
    .strictObject({
      max: z.int().min(1).max(10_000).default(15),
      windowMs: z.int().min(100).max(3_600_000).default(10_000),
      silenceMs: z.int().min(100).max(3_600_000).default(30_000),
    })
    .prefault({}),
  notices: z
    .strictObject({
      /** How much of an output stands in the notice of its end. */
      tailLines: z.int().min(0).max(1_000).default(20),
      tailCharacters: z.int().min(0).max(100_000).default(3_000),
    })
    .prefault({}),
  delivery: z
    .strictObject({
      timeoutMs: z.int().min(100).max(600_000).default(10_000),
      attempts: z.int().min(1).max(100).default(8),
      firstRetryMs: z.int().min(10).max(3_600_000).default(1_000),
      longestRetryMs: z.int().min(10).max(86_400_000).default(600_000),
    })
    .refine(({ firstRetryMs, longestRetryMs }) => firstRetryMs <= longestRetryMs, {
      path: ['longestRetryMs'],
      error: 'it is shorter than firstRetryMs',
    })
    .prefault({}),
  /** Telling browsers whose page is closed. */
  push: z
    .strictObject({
      timeoutMs: z.int().min(100).max(600_000).default(10_000),
      attempts: z.int().min(1).max(100).default(4),
      firstRetryMs: z.int().min(10).max(3_600_000).default(2_000),
      longestRetryMs: z.int().min(10).max(3_600_000).default(60_000),
      /** So long after the fact: whoever looks has seen it by then. */
      delayMs: z.int().min(0).max(600_000).default(2_000),
      /** Who answers for this host to the push services. */
      contact: z.url({ protocol: /^(?:mailto|https)$/ }).default('mailto:nobody@rouse.invalid'),
      /** For a push service on this machine. */
      allowLoopback: z.boolean().default(false),
    })
    .prefault({}),
  /** Other people's tools for the agent, by the name that stands before theirs. */
  mcpServers: z
    .record(z.string().regex(/^[A-Za-z0-9_-]{1,30}$/, 'a name is up to 30 letters, digits, - and _'), McpServer)
    .default({}),
  /** For sessions that name none, as `PROVIDER/MODEL`; by default what the keys in the environment allow. */
  model: z.string().min(1).optional(),
  /** OpenAI-compatible addresses by name: Ollama, vLLM, OpenRouter and the like. */
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
  turns: z
    .strictObject({
      stepLimit: z.int().min(1).max(1_000).default(50),
      /** How long a question waits for a person. */
      questionMs: z.int().min(100).max(86_400_000).default(600_000),
      /** How long a host that stops waits for turns to end by themselves. */
      drainMs: z.int().min(0).max(600_000).default(5_000),
      /** A command in the foreground goes on in the background after this. */
      foregroundMs: z.int().min(100).max(600_000).default(10_000),
    })
    .prefault({}),
  /** Wakes in a row without a person; what is due beyond that comes as one digest. */
  budget: z
    .strictObject({
      wakes: z.int().min(1).max(10_000).default(10),
      windowMs: z.int().min(1_000).max(604_800_000).default(3_600_000),
    })
    .prefault({}),
  /** Turns that a restart cut off. */
  resume: z
    .strictObject({
      freshMs: z.int().min(0).default(3_600_000),
      tries: z.int().min(0).max(100).default(3),
      badBoots: z.int().min(1).max(20).default(4),
      badBootsWithinMs: z.int().min(1_000).default(300_000),
    })
    .prefault({}),
  /** Which commands of an agent a person is asked about. */
  approval: z.enum(['risky', 'ask', 'allow', 'deny']).default('risky'),
  /** What a command that Rouse started may do through `rouse` without a person. */
  processesMay: z.array(Permission).default([]),
  retention: z.strictObject({ days: z.number().min(0).default(7), count: z.int().min(0).default(1_000) }).prefault({}),
});
export type Configuration = z.infer<typeof Configuration>;

/** The configuration could not be used; the sentence names the key and the reason. */
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
  const checked = Configuration.safeParse(merged);
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

function variables(env: NodeJS.ProcessEnv): Record<string, unknown> {
  return {
    ...(env['ROUSE_HOST'] && { host: env['ROUSE_HOST'] }),
    ...(env['ROUSE_PORT'] && { port: Number(env['ROUSE_PORT']) }),
    ...(env['ROUSE_LOG_LEVEL'] && { logLevel: env['ROUSE_LOG_LEVEL'] }),
    ...(env['ROUSE_SHELL'] && { shell: env['ROUSE_SHELL'] }),
    ...(env['ROUSE_MODEL'] && { model: env['ROUSE_MODEL'] }),
  };
}
