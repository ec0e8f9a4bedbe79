/** Reads arguments, environment and streams once and runs the command line with them. */
import { runCommandLine } from './cli/program.js';
import { version } from './version.js';

/** `script` is the file of this program, to run a host in the background with. */
export const run = (script: string): Promise<number> =>
  runCommandLine({
    args: process.argv.slice(2),
    env: process.env,
    cwd: () => process.cwd(),
    script,
    version,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    serve: async (options) => (await import('./host/main.js')).serve(options),
    diagnose: async (env) => (await import('./host/doctor/doctor.js')).diagnose(env),
  });
