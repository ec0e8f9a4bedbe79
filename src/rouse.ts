#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { runCommandLine } from './cli/program.js';
import { version } from './version.js';

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
