/** Processes of this machine, found by their environment: they keep it when the one that started them is gone. */
import { readdirSync, readFileSync } from 'node:fs';
import { until } from './until.js';

export const processesWith = (variable: string, value: string): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).includes(`${variable}=${value}`));

/** Kills all of them, also those that they start in the meantime. Over when they are gone. */
export async function endProcessesWith(variable: string, value: string): Promise<void> {
  await until(`no process with ${variable}=${value} is left`, () => {
    const pids = processesWith(variable, value);
    for (const pid of pids) kill(pid);
    return pids.length === 0;
  });
}

export const commandOf = (pid: number): string => factOf(pid, 'cmdline').replaceAll('\0', ' ').trim();

export const parentOf = (pid: number): number => Number(/^.*\) \S (\d+)/s.exec(factOf(pid, 'stat'))?.[1]);

const environmentOf = (pid: number): readonly string[] => factOf(pid, 'environ').split('\0');

/** Empty when the process is gone, or belongs to somebody else. */
function factOf(pid: number, name: 'cmdline' | 'environ' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // ESRCH: it is gone.
  }
}
