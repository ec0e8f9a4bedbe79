#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './cli/program.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

process.exitCode = await runCommandLine({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  script: fileURLToPath(import.meta.url),
  version,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  serve: async (options) => (await import('./main.js')).serve(options),
  diagnose: async (env) => (await import('./diagnosis.js')).diagnose(env),
});
