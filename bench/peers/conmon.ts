/** conmon, with the smallest thing it takes for an OCI runtime; a real one would cost more. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs, type Peer } from '../peer.js';
import { onPath } from '../programs.js';
import { Arrivals } from '../wait.js';

const RUNTIME = `#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    --bundle) bundle=$2 && shift ;;
    --pid-file) pid_file=$2 && shift ;;
  esac
  shift
done
bash "$bundle/command" &
echo $! > "$pid_file"
`;

export const conmon: Peer = {
  name: 'conmon',
  installed: () => onPath('conmon'),
  async open({ folder, commands }) {
    const runtime = join(folder, 'runtime');
    const exits = join(folder, 'exits');
    mkdirSync(exits);
    writeFileSync(runtime, RUNTIME, { mode: 0o755 });
    const bundleOf = (index: number) => join(folder, `bundle-${index}`);
    for (const [index, command] of commands.entries()) {
      mkdirSync(bundleOf(index));
      writeFileSync(join(bundleOf(index), 'command'), command);
    }
    const ended = new Arrivals<string, number>();
    const watcher = watch(exits, (_, name) => name && ended.arrive(name, nowMs()));
    const started: number[] = [];
    return {
      start: async (index) => {
        await conmonFor(bundleOf(index), `c${index}`, runtime, exits);
        started.push(index);
      },
      ended: (index) => ended.of(`c${index}`),
      keepers: async () => started.map((index) => Number(readFileSync(join(bundleOf(index), 'conmon-pid'), 'latin1'))),
      continued: ' stdout P ',
      captured: async (index) => [join(bundleOf(index), 'log')],
      close: async () => {
        await Promise.all(started.map((index) => ended.of(`c${index}`)));
        watcher.close();
      },
    };
  },
};

/** Over when conmon has told the pid of the command on its pipe, as it does for podman. */
function conmonFor(bundle: string, id: string, runtime: string, exits: string): Promise<void> {
  const options: [string, string][] = [
    ['--api-version', '1'],
    ['--cid', id],
    ['--cuuid', id],
    ['--name', id],
    ['--runtime', runtime],
    ['--bundle', bundle],
    ['--container-pidfile', join(bundle, 'pid')],
    ['--conmon-pidfile', join(bundle, 'conmon-pid')],
    ['--exit-dir', exits],
    ['--log-path', `k8s-file:${join(bundle, 'log')}`],
  ];
  return new Promise((resolve, reject) => {
    const child = spawn('conmon', [...options.flat(), '--full-attach'], {
      env: { ...process.env, _OCI_SYNCPIPE: '3' },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    child.once('error', reject);
    child.stdio[3]?.once('data', () => resolve());
  });
}
