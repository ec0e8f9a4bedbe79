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
      for (const gate of gates) gate.openToWhoeverWaits();
      await field.close();
    }
  });
}

/** Removed whatever happens. A short name: sockets have room for about a hundred characters. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'rb-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}
