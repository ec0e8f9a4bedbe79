/** The programs that the bench runs beside itself, and the peers' own. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const onPath = (name: string): boolean =>
  `${process.env['PATH'] ?? ''}${delimiter}/usr/sbin`.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      // ENOENT: not here.
      return false;
    }
  });

/** A program of the bench, as a file. */
export const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** However the bench ends, what it started ends too. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function ours<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** A peer's own daemon. */
export const daemon = (command: string, args: readonly string[]): ChildProcess =>
  ours(spawn(command, args, { stdio: 'ignore' }));

/** A Node program of the bench with a line to it. */
export function forkOwn(
  name: string,
  env: NodeJS.ProcessEnv = {},
  args: readonly string[] = [],
  stderr: 'inherit' | 'pipe' = 'inherit',
): ChildProcess {
  return ours(
    fork(script(name), args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', stderr, 'ipc'],
      serialization: 'json',
    }),
  );
}

export const gone = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));
