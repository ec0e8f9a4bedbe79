/** Numbered lines that a command writes at full speed, and what has become of them. */
import { closeSync, fsyncSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { sum } from './numbers.js';
import { gone, script } from './programs.js';
import { pause } from './wait.js';

const LINE_BYTES = 100;
const QUIET_MS = 300;

export type Lines = { readonly path: string; readonly bytes: number; readonly count: number };

/** Just written, so that they are read from memory. */
export function linesFile(path: string, bytes: number): Lines {
  const count = Math.floor(bytes / LINE_BYTES);
  const file = openSync(path, 'w');
  const batch = 10_000;
  for (let first = 0; first < count; first += batch) {
    const numbers = Array.from({ length: Math.min(batch, count - first) }, (_, index) => first + index);
    writeSync(file, numbers.map((number) => `line ${number} `.padEnd(LINE_BYTES - 1, '.')).join('\n') + '\n');
  }
  fsyncSync(file);
  closeSync(file);
  return { path, bytes: count * LINE_BYTES, count };
}

/** Nobody is slowed down for what another has left in memory to be written. */
export const carryToDisk = () => gone(spawn('sync', { stdio: 'ignore' }));

/** Runs the writer, which notes in `times` how it went. */
export const writes = (lines: Lines, times: string): string =>
  [process.execPath, script('writer.js'), lines.path, times].join(' ');

/** How long the writer took, up to the last write of either side: what a keeper still had in memory was not taken yet. */
export function tookMs(times: string, files: readonly string[]): { readonly allMs: number; readonly waitedMs: number } {
  const [began = 0, ended = 0, waitedMs = 0] = readFileSync(times, 'latin1').split(' ').map(Number);
  return { allMs: Math.max(ended, ...files.map((file) => statSync(file).mtimeMs)) - began, waitedMs };
}

export const megabytesPerSecond = ({ bytes }: Lines, ms: number): number => bytes / 1e3 / ms;

/** Over when the files have not grown for a while. */
export async function whenQuiet(files: () => Promise<readonly string[]>): Promise<void> {
  const size = async () => sum((await files()).map((file) => statSync(file).size));
  for (let before = -1, now = await size(); now !== before; now = await size()) {
    before = now;
    await pause(QUIET_MS);
  }
}

/** How often the text occurs; an occurrence may lie across two reads. */
export function count(files: readonly string[], text: string): number {
  const overlap = text.length - 1;
  const chunk = Buffer.alloc(1_048_576);
  let found = 0;
  for (const path of files) {
    const file = openSync(path, 'r');
    let kept = 0;
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk, kept, chunk.length - kept, null)) {
      const filled = chunk.subarray(0, kept + read);
      for (let at = filled.indexOf(text); at >= 0; at = filled.indexOf(text, at + 1)) found++;
      kept = Math.min(overlap, filled.length);
      filled.copy(chunk, 0, filled.length - kept);
    }
    closeSync(file);
  }
  return found;
}
