/**
 * containerd with runc, over its own `ctr`; ends are heard on its stream of events. The containers see the file system
 * as everybody else does, so that the same commands run in them.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { nowMs, type Peer } from '../peer.js';
import { daemon, gone, onPath } from '../programs.js';
import { Arrivals, pause, until } from '../wait.js';

const run = promisify(execFile);

export const containerd: Peer = {
  name: 'containerd',
  installed: () => ['containerd', 'ctr', 'runc'].every(onPath) && process.getuid?.() === 0,
  async open({ folder, commands }) {
    const socket = join(folder, 'socket');
    const ctr = (...args: readonly string[]) => run('ctr', ['--address', socket, ...args]);
    writeFileSync(join(folder, 'containerd.toml'), configuration(folder, socket));
    const server = daemon('containerd', ['--config', join(folder, 'containerd.toml')]);
    await until('containerd to answer', () => ctr('version').then(Boolean, () => false));
    const ended = new Arrivals<string, number>();
    const events = await listen(socket, ctr, (id) => ended.arrive(id, nowMs()));
    // Shims belong to nobody: a bench that breaks off must end them itself.
    const endShims = () => shimsOf(socket).forEach(end);
    process.once('exit', endShims);
    const root = rootIn(folder);
    const started: number[] = [];
    return {
      start: async (index) => {
        const log = ['--log-uri', `file://${join(folder, `output-${index}`)}`];
        await ctr('run', '--detach', ...log, ...root, `c${index}`, '/bin/bash', '-c', commands[index] ?? '');
        started.push(index);
      },
      ended: (index) => ended.of(`c${index}`),
      keepers: async () => [server.pid ?? 0, ...shimsOf(socket)],
      captured: async (index) => [join(folder, `output-${index}`)],
      close: async () => {
        const ids = started.map((index) => `c${index}`);
        await Promise.all(ids.map((id) => ended.of(id)));
        // It says on its error output, and in its own status, how the commands ended.
        if (ids.length > 0) await ctr('tasks', 'delete', ...ids).catch(() => undefined);
        if (ids.length > 0) await ctr('containers', 'delete', ...ids);
        process.off('exit', endShims);
        events.kill();
        server.kill();
        await Promise.all([gone(events), gone(server)]);
      },
    };
  },
};

const UNUSED = ['grpc.v1.cri', ...['aufs', 'btrfs', 'devmapper', 'zfs'].map((name) => `snapshotter.v1.${name}`)];

/** Without what needs other programs or file systems. */
const configuration = (folder: string, socket: string): string => `
version = 2
root = "${folder}/root"
state = "${folder}/state"
disabled_plugins = [${UNUSED.map((name) => `"io.containerd.${name}"`).join(', ')}]
[grpc]
  address = "${socket}"
`;

/** Over when the stream is heard: it does not say by itself that it has begun. */
async function listen(
  socket: string,
  ctr: (...args: readonly string[]) => Promise<unknown>,
  ended: (id: string) => void,
) {
  const events = spawn('ctr', ['--address', socket, 'events'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface(events.stdout);
  lines.on('line', (line) => {
    const [, id] = / \/tasks\/exit \{"container_id":"(\w+)"/.exec(line) ?? [];
    if (id) ended(id);
  });
  const heard = once(lines, 'line').then(() => true);
  for (let tries = 0; ; tries++) {
    await ctr('namespaces', 'create', `hear-${tries}`);
    if (await Promise.race([heard, pause(200, false)])) return events;
  }
}

const OWN_TO_A_CONTAINER = ['proc', 'sys', 'dev', 'lost+found'];

/** A root that shows every folder of ours in its place. */
function rootIn(folder: string): readonly string[] {
  const root = join(folder, 'rootfs');
  mkdirSync(root);
  const entries = readdirSync('/', { withFileTypes: true }).filter(({ name }) => !OWN_TO_A_CONTAINER.includes(name));
  for (const entry of entries)
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(`/${entry.name}`), join(root, entry.name));
  const mounts = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => ['--mount', `type=bind,src=/${name},dst=/${name},options=rbind:rw`]);
  return ['--rootfs', ...mounts, root];
}

/** One a container, no children of the server. */
const shimsOf = (socket: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLineOf(pid).includes('containerd-shim') && commandLineOf(pid).includes(socket))
    .map(Number);

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: it has ended.
  }
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // ENOENT, ESRCH: it has ended.
    return '';
  }
}
