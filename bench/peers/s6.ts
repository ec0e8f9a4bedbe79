/** s6: one s6-supervise a command under one s6-svscan, with s6-log where output is kept. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  watch,
  writeFileSync,
  type FSWatcher,
} from 'node:fs';
import { join } from 'node:path';
import { nowMs, type Peer } from '../peer.js';
import { daemon, gone, onPath } from '../programs.js';
import { childrenOf } from '../usage.js';
import { Arrivals, until } from '../wait.js';

const PID_AT = 24;

const s6Peer = (keepsOutput: boolean): Peer => ({
  name: 's6',
  installed: () => onPath('s6-svscan') && onPath('s6-supervise'),
  async open({ folder, commands }) {
    const scan = join(folder, 'scan');
    const service = (index: number) => join(folder, `service-${index}`);
    mkdirSync(scan);
    for (const [index, command] of commands.entries()) writeService(service(index), command, keepsOutput);
    const svscan = daemon('s6-svscan', [scan]);
    await until('s6-svscan', () => readdirSync(scan).includes('.s6-svscan') && pipeIsThere(join(scan, '.s6-svscan')));
    const tellSvscan = (word: string) => writeFileSync(join(scan, '.s6-svscan/control'), word);
    const tell = (index: number, word: string) => writeFileSync(join(service(index), 'supervise/control'), word);
    const ended = new Arrivals<number, number>();
    const watchers: FSWatcher[] = [];
    return {
      start: async (index) => {
        symlinkSync(service(index), join(scan, String(index)));
        tellSvscan('a');
        await until('s6 to run it', () => commandPid(service(index)) > 0, { everyMs: 1 });
        if (keepsOutput) await until('s6-log', () => existsSync(join(service(index), 'kept/current')));
        // Once at most: the end shall be an end.
        tell(index, 'O');
        const look = () => commandPid(service(index)) === 0 && ended.arrive(index, nowMs());
        watchers.push(watch(join(service(index), 'supervise'), look));
        look();
      },
      ended: (index) => ended.of(index),
      keepers: async () => [svscan.pid ?? 0, ...childrenOf(svscan.pid ?? 0).flatMap((pid) => [pid, ...logOf(pid)])],
      captured: async (index) => {
        const kept = join(service(index), 'kept');
        return readdirSync(kept)
          .filter((name) => name === 'current' || name.startsWith('@'))
          .map((name) => join(kept, name));
      },
      close: async () => {
        for (const watcher of watchers) watcher.close();
        tellSvscan('t');
        await gone(svscan);
      },
    };
  },
});

export const s6 = s6Peer(false);
export const s6WithLog = s6Peer(true);

function writeService(path: string, command: string, keepsOutput: boolean): void {
  mkdirSync(path);
  writeFileSync(join(path, 'run'), `#!/bin/bash\n${command}\n`, { mode: 0o755 });
  if (!keepsOutput) return;
  mkdirSync(join(path, 'log'));
  writeFileSync(join(path, 'log/run'), `#!/bin/sh\nexec s6-log n20 s268435455 ${join(path, 'kept')}\n`, {
    mode: 0o755,
  });
}

const pipeIsThere = (folder: string): boolean => readdirSync(folder).includes('control');

/** s6-supervise of a logger has s6-log as its child; that of a command has the command, which is not counted. */
const logOf = (supervise: number): number[] =>
  childrenOf(supervise).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'latin1').startsWith('s6-log'));

/** -1 while there is no status. */
function commandPid(service: string): number {
  try {
    const status = readFileSync(join(service, 'supervise/status'));
    return status.length < PID_AT + 8 ? -1 : Number(status.readBigUInt64BE(PID_AT));
  } catch {
    // ENOENT: not there yet.
    return -1;
  }
}
