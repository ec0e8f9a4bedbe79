/** Samples CPU and memory of running processes every two seconds while they are visible. */
import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ProcessView } from 'rouse/contract/process';
import { host } from '../state/host';
import { line } from '../state/live';
import { processes } from '../state/processes';
import { visible } from '../state/visible';
import { loadsOf, type Loads, type Look } from './resource-usage';
import { isRunning } from './process-state';

export const loads = signal<Loads>(new Map());

const LOOK_MS = 2_000;
/** The second sample comes sooner, because a rate needs two. */
const SECOND_LOOK_MS = 500;

let watchers = 0;
let last: Look | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Samples while the component is mounted. All components share the samples. */
export function useUsage(): void {
  useEffect(() => {
    if (watchers++ === 0) void look();
    return () => {
      if (--watchers > 0) return;
      clearTimeout(timer);
      last = undefined;
    };
  }, []);
}

async function look(): Promise<void> {
  const before = last;
  if (somethingToSee()) {
    // A failed sample is skipped; the connection state shows what is wrong.
    const [usage] = await Promise.all([host.usage().catch(() => undefined), readRunning().catch(() => undefined)]);
    last = usage;
    if (last) loads.value = loadsOf(before, last);
  } else last = undefined;
  if (watchers === 0) return;
  clearTimeout(timer);
  timer = setTimeout(() => void look(), last && !before ? SECOND_LOOK_MS : LOOK_MS);
}

/** Output size and waiting for input are not on the stream, so read them. */
async function readRunning(): Promise<void> {
  const found = await host.list({ state: 'running' });
  batch(() => {
    for (const process of found) {
      const known = processes.get(process.id);
      // Ignore one that has ended meanwhile.
      if (known?.state === 'running' && differs(known, process)) processes.put(process);
    }
  });
}

const differs = (a: ProcessView, b: ProcessView): boolean =>
  a.outputBytes !== b.outputBytes || a.waitingForInput !== b.waitingForInput;

const somethingToSee = (): boolean =>
  visible.value && line.value.kind === 'open' && processes.all.value.some(isRunning);
