/** A folder and some commands at their gates, for as long as one measure lasts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatesIn, type Gate } from './gate.js';
import type { Field, Peer } from './peer.js';

export type Scene = { readonly field: Field; readonly gates: readonly Gate[] };

export async function onStage<Result>(
  peer: Peer,
  count: number,
  measure: (scene: Scene) => Promise<Result>,
  commandOf: (gate: Gate) => string = (gate) => gate.command,
): Promise<Result> {
  return inFolder(async (folder) => {
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
  });
}

/** Removed however the bench ends. */
const folders = new Set<string>();
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A short name: sockets have room for about a hundred characters. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'rb-'));
  folders.add(folder);
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    folders.delete(folder);
  }
}
