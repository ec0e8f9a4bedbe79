/** The programs that a start needs, wherever this machine has them. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Tools } from './folder.js';

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

function onPath(name: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find((candidate) => {
      try {
        accessSync(candidate, constants.X_OK);
        return true;
      } catch {
        // ENOENT, EACCES: not here.
        return false;
      }
    });
}
