/** A folder and some commands at their gates, for as long as one measure lasts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatesIn, type Gate } from './gate.js';
import type { Field, Peer } from './peer.js';

export type Scene<OwnField = Field> = { readonly field: OwnField; readonly gates: readonly Gate[] };

/**
 * What a stage leaves is removed when all is measured: where many files have just been deleted, new ones are dear for a
 * while (ext4 walks past every inode that was freed a moment ago), and the next in turn would pay for the last.
 */
export async function onStage<Result, OwnField extends Field>(
  peer: Peer<OwnField>,
  count: number,
  measure: (scene: Scene<OwnField>) => Promise<Result>,
  { commandOf = (gate: Gate) => gate.command, folder = newFolder() } = {},
): Promise<Result> {
  const gates = gatesIn(folder, count);
  const field = await peer.open({ folder, commands: gates.map(commandOf) });
  try {
    return await measure({ field, gates });
  } finally {
    // Again and again: a command may still be on its way to its gate.
    const letting = setInterval(() => gates.forEach((gate) => gate.openToWhoeverWaits()), 20);
    await field.close();
    clearInterval(letting);
  }
}

/** Removed however the bench ends. */
const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A short name: sockets have room for about a hundred characters. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rb-'));
  folders.add(folder);
  return folder;
}

export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = newFolder();
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    folders.delete(folder);
  }
}
