/** What a start takes from this machine: the person's login environment (with the PATH that nvm, pyenv etc. extend), and programs. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../ports/clock.js';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Keys of model providers and Rouse's own variables: a command gets none of them. */
const OURS = /^(?:ROUSE_|npm_|NODE_OPTIONS$|INIT_CWD$)/;
const MODEL_KEYS =
  /^(?:ANTHROPIC|OPENAI|GOOGLE|GOOGLE_GENERATIVE_AI|GEMINI|MISTRAL|GROQ|XAI|DEEPSEEK|OPENROUTER|TOGETHER|FIREWORKS|COHERE|PERPLEXITY|CEREBRAS|AZURE_OPENAI)_(?:API_KEY|AUTH_TOKEN)$|^CLAUDE_CODE_OAUTH_TOKEN$/;

export const isModelKey = (name: string): boolean => MODEL_KEYS.test(name);

export const withoutSecrets = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !OURS.test(entry[0]) && !isModelKey(entry[0]),
    ),
  );

/** Variables a shell sets for itself; they would be wrong in a command. */
const SHELL_OWN = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD', 'PS1', 'PROMPT_COMMAND']);

/**
 * Asks the login shell. If that fails or takes longer than `budgetMs` (a profile that waits for something), the
 * environment of the host itself is used; `fellBack` says why.
 */
export async function loginEnvironment(
  clock: Clock,
  shell: string,
  own: NodeJS.ProcessEnv,
  budgetMs: number,
): Promise<{ env: Record<string, string>; fellBack?: string }> {
  const base = withoutSecrets(own);
  const mark = randomUUID();
  const printed = await printedBy(clock, shell, mark, base, budgetMs);
  if (typeof printed !== 'string') return { env: base, fellBack: printed.why };
  const begin = printed.indexOf(`${mark}-begin`);
  const end = printed.lastIndexOf(`${mark}-end`);
  if (begin < 0 || end < begin) return { env: base, fellBack: `${shell} did not print its environment` };
  const between = printed.slice(begin + `${mark}-begin`.length, end);
  const entries = between.split('\0').map((entry): [string, string] => {
    const equals = entry.indexOf('=');
    return [entry.slice(0, equals), entry.slice(equals + 1)];
  });
  const env = Object.fromEntries(
    entries.filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !SHELL_OWN.has(name)),
  );
  return { env: withoutSecrets(env) };
}

/**
 * What a shell prints up to the end mark: a daemon that a profile starts may hold the pipe open for ever. The begin
 * mark may come twice, because a shell keeps its last word in the variable `_`.
 */
function printedBy(
  clock: Clock,
  shell: string,
  mark: string,
  env: Record<string, string>,
  budgetMs: number,
): Promise<string | { why: string }> {
  return new Promise((resolve) => {
    // In a session of its own: an interactive shell must not reach for the terminal that the host runs in.
    const child = spawn(shell, ['-ilc', `printf '%s' '${mark}-begin'; env -0; printf '%s' '${mark}-end'`], {
      env,
      cwd: env['HOME'] ?? '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    let printed = '';
    const finish = (outcome: string | { why: string }) => {
      alarm.clear();
      child.stdout.destroy();
      child.unref();
      resolve(outcome);
    };
    const alarm = clock.alarm(budgetMs, () => {
      child.kill('SIGKILL');
      finish({ why: `${shell} took longer than ${budgetMs} ms` });
    });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (printed.includes(`${mark}-end`)) finish(printed);
    });
    child.on('error', (error) => finish({ why: `${shell} could not be started: ${error.message}` }));
    child.on('close', () => finish(printed));
  });
}

/** The programs that a start needs. */
export type Tools = {
  /** The search path of launcher and shims. */
  readonly path: string;
  readonly shell: string;
  readonly setsid: string;
  readonly env: string;
  readonly script: string;
  readonly loginShell: string;
  readonly umask: number;
};

export function toolsOf(
  env: NodeJS.ProcessEnv,
  given: { readonly shell: string | undefined; readonly loginShell: string; readonly umask: number },
): Tools {
  const path = [env['PATH'] ?? '', '/usr/bin', '/bin'].join(delimiter);
  return {
    path,
    shell: given.shell ?? onPath('bash', path) ?? '/bin/sh',
    setsid: onPath('setsid', path) ?? '/usr/bin/setsid',
    env: onPath('env', path) ?? '/usr/bin/env',
    script: onPath('script', path) ?? '/usr/bin/script',
    loginShell: given.loginShell,
    umask: given.umask,
  };
}

const onPath = (name: string, path: string): string | undefined =>
  path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find(isExecutable);

export function isExecutable(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    // ENOENT, EACCES.
    return false;
  }
}
