/** The least a Node program can do: `child_process.spawn` and its `exit` event, and a commit of its own when asked. */
import { spawn, type StdioOptions } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { ballast } from '../ballast.js';
import { nowMs } from '../peer.js';

const [folder = '', mode = 'plain'] = process.argv.slice(2);

const db = new DatabaseSync(join(folder, 'bare.db'));
const commit = mode === 'commit' ? committer() : () => undefined;

function committer(): (index: number) => void {
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE ends (process INTEGER, code INTEGER)');
  const insert = db.prepare('INSERT INTO ends VALUES (?, 0)');
  return (index) => void insert.run(index);
}

function start(index: number, command: string): void {
  const before = nowMs();
  const output = join(folder, `output-${index}`);
  const stdio: StdioOptions = ['ignore', mode === 'pipe' ? 'pipe' : 'ignore', 'ignore'];
  const child = spawn('bash', ['-c', command], { stdio, detached: true });
  child.stdout?.pipe(createWriteStream(output));
  child.once('spawn', () => process.send?.({ started: index, tookMs: nowMs() - before }));
  child.once('exit', () => {
    commit(index);
    process.send?.({ ended: index, at: nowMs() });
  });
}

ballast(Number(process.env['ROUSE_BENCH_BALLAST_MB'] ?? 0));
process.on('message', ({ index, command }: { index: number; command: string }) => start(index, command));
process.once('disconnect', () => process.exit(0));
process.send?.({ ready: true });
