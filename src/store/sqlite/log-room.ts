/**
 * Room in SQLite's write-ahead log before it is needed.
 *
 * After a checkpoint the log is overwritten from its beginning. Before the first one it grows, and a flush that must
 * also note the new length of a file takes about twice as long. So it is given its length at once, in zeros, which
 * nobody takes for a commit: a log may end in rubbish, as it does after every checkpoint.
 */
import { closeSync, constants, fdatasync, ftruncateSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { Connection } from './driver.js';
import { errno } from '../../errno.js';

/** A little more than what is written between two checkpoints: a thousand pages with their headers. */
const LOG_BYTES = 1_100 * (4_096 + 24);
const PIECE = new Uint8Array(131_072);

export function makeRoomInLog(connection: Connection, path: string): void {
  // While we hold the store nobody else writes to its log.
  connection.perform('BEGIN IMMEDIATE');
  try {
    const log = openSync(`${path}-wal`, constants.O_WRONLY);
    stretch(log);
    // In the background: the host comes up meanwhile.
    fdatasync(log, () => closeSync(log));
  } finally {
    connection.perform('ROLLBACK');
  }
}

function stretch(log: number): void {
  const { size } = fstatSync(log);
  try {
    for (let at = size; at < LOG_BYTES; at += PIECE.length)
      if (writeSync(log, PIECE, 0, PIECE.length, at) < PIECE.length) return ftruncateSync(log, size);
  } catch (error) {
    // Then it grows as it goes, for as long as there is room for that.
    if (errno(error) !== 'ENOSPC') throw error;
    ftruncateSync(log, size);
  }
}
