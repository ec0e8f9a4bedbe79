/**
 * Removes secrets from our own environment once they have been read.
 *
 * `/proc/PID/environ` shows every program of the same user the memory in which a process received its environment.
 * Unsetting a variable does not change that memory, so the value is overwritten there.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** `stat` has the start of that memory in its 50th field, the 48th after the name of the program. */
const ENV_START = 47;

/** Returns why the values could not be overwritten: some kernels do not let a process write its own memory this way. */
export function forgetVariables(names: readonly string[]): string | undefined {
  const ours = names.filter((name) => process.env[name] !== undefined);
  for (const name of ours) delete process.env[name];
  if (ours.length === 0) return undefined;
  try {
    overwrite(ours);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

function overwrite(names: readonly string[]): void {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ENV_START]);
  if (!(start > 0)) throw new Error('/proc/self/stat does not say where the environment begins');
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    let at = start;
    for (const entry of readFileSync('/proc/self/environ', 'latin1').split('\0')) {
      const value = entry.indexOf('=') + 1;
      const nothing = Buffer.alloc(entry.length - value);
      if (names.includes(entry.slice(0, value - 1))) writeSync(memory, nothing, 0, nothing.length, at + value);
      at += entry.length + 1;
    }
  } finally {
    closeSync(memory);
  }
}
