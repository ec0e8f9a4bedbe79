import { execFileSync } from 'node:child_process';
import { openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/clock/system.js';
import { StoreFault } from '../../src/ports/store.js';
import { connect } from '../../src/store/sqlite/connection.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { newFolder, onCleanUp } from '../support/clean-up.js';
import { processId, recordOf, storeConformance, type OpenStore } from './conformance.js';
import { noticeConformance } from './notice-conformance.js';
import { unreadConformance } from './unread-conformance.js';

const newPath = () => join(newFolder(), 'rouse.db');

const openAt = async (path: string, busyMs?: number): Promise<SqliteStore> => {
  const store = await SqliteStore.open(path, systemClock, busyMs === undefined ? {} : { busyMs });
  // Some tests close it themselves, or make it fail.
  onCleanUp(() => store.close().catch(() => undefined));
  return store;
};

const sqlite: OpenStore = { open: async (name = newPath()) => ({ store: await openAt(name), name }) };

storeConformance('SQLite', sqlite);
noticeConformance('SQLite', sqlite);
unreadConformance('SQLite', sqlite);

const filled = async (path = newPath()) => {
  const store = await openAt(path);
  for (let index = 0; index < 200; index++)
    await store.transact((t) => t.processes.insert(recordOf(processId(index), { command: 'x'.repeat(500) })));
  return { path, store };
};

/** Behind the last page that was written since the last checkpoint: the frames bear the salt of the log's own head. */
const endOfLog = (log: Buffer): number => {
  let end = 32;
  while (log.subarray(end + 8, end + 16).equals(log.subarray(16, 24))) end += 24 + 4_096;
  return end;
};

describe('SQLite as a file', () => {
  test('flushes at every commit, and keeps the file to its owner', async () => {
    const path = newPath();
    const store = await openAt(path);
    expect(store.connection.pragma('synchronous')).toBe(2);
    expect(store.connection.pragma('journal_mode')).toBe('wal');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('refuses a store of another kind with the way out', async () => {
    const path = newPath();
    writeFileSync(path, 'this is not a database, and it is long enough to be looked at '.repeat(100));
    await expect(SqliteStore.open(path, systemClock)).rejects.toThrow(/is damaged and is not used.*rouse doctor/);
  });

  test('refuses a store that was emptied while its log was not', async () => {
    const path = newPath();
    writeFileSync(path, '');
    writeFileSync(`${path}-wal`, 'x');
    await expect(SqliteStore.open(path, systemClock)).rejects.toBeInstanceOf(StoreFault);
  });

  test('refuses an empty store where there are processes it should know', async () => {
    const path = newPath();
    writeFileSync(path, '');
    await expect(SqliteStore.open(path, systemClock, { used: true })).rejects.toThrow(
      /is empty although it was written/,
    );
    await openAt(path);
  });

  test('finds a flipped bit when asked to check', async () => {
    const { path, store } = await filled();
    await store.close();
    const file = openSync(path, 'r+');
    const size = statSync(path).size;
    for (let page = 2; page < size / 4_096; page++) writeSync(file, Buffer.alloc(64, 0xff), 0, 64, page * 4_096 + 8);
    const verdict = await openAt(path).then(
      (damaged) => damaged.check(),
      (error: unknown) => [String(error)],
    );
    expect(verdict).not.toEqual([]);
  });

  test('opens after a torn write-ahead log, with every commit before the tear', async () => {
    const { path } = await filled();
    const copy = newPath();
    writeFileSync(copy, readFileSync(path));
    const log = readFileSync(`${path}-wal`);
    writeFileSync(`${copy}-wal`, log.subarray(0, endOfLog(log) - 100));
    const store = await openAt(copy);
    expect(await store.processes.list()).toHaveLength(199);
    expect(await store.check()).toEqual([]);
  });

  test('allocates its log at once', async () => {
    const path = newPath();
    await openAt(path);
    const room = statSync(`${path}-wal`).size;
    await filled(path);
    expect(statSync(`${path}-wal`).size).toBe(room);
  });

  test('shares a flush among works that come together', async () => {
    const store = await openAt(newPath());
    const performed = vi.spyOn(store.connection, 'exec');
    const commits = () => performed.mock.calls.filter(([sql]) => sql === 'COMMIT').length;
    const insert = (name: number) => store.transact((t) => t.processes.insert(recordOf(processId(name))));
    await Promise.all(Array.from({ length: 50 }, (_, index) => insert(index)));
    expect(commits()).toBeLessThanOrEqual(2);
    expect(await store.processes.list()).toHaveLength(50);
  });

  test('says so when another program holds it, and works when that lets go', async () => {
    const path = newPath();
    const store = await openAt(path, 50);
    const other = await connect(path, 0);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.transact((t) => t.processes.insert(recordOf(processId('a'))))).rejects.toThrow(
      /held by another program/,
    );
    other.exec('COMMIT');
    other.close();
    expect(await store.transact((t) => t.processes.insert(recordOf(processId('a'))))).toBe('inserted');
  });

  test('refuses a store that a newer version wrote', async () => {
    const path = newPath();
    const store = await openAt(path);
    store.connection.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-future', '2030')");
    await store.close();
    await expect(SqliteStore.open(path, systemClock)).rejects.toThrow(/written by a newer Rouse/);
  });

  test('is readable by the sqlite of anybody else while it is open', async () => {
    const { path } = await filled();
    const count = execFileSync(
      process.execPath,
      [
        '-e',
        `const{DatabaseSync}=require('@photostructure/sqlite');console.log(new DatabaseSync(${JSON.stringify(path)}).prepare('select count(*) n from processes').get().n)`,
      ],
      { encoding: 'utf8' },
    );
    expect(Number(count)).toBe(200);
  });
});
