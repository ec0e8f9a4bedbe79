import { computed } from '@preact/signals';
import type { ProcessId, SessionId } from 'rouse/contract/ids';
import type { ProcessView } from 'rouse/contract/process';
import { Collection } from './collection';
import { host } from './host';
import { listen } from './live';

const LISTED = 500;

export const processes = new Collection<ProcessId, ProcessView>(() => host.list({ limit: LISTED }));

listen((event) => {
  if (event.kind === 'process') processes.put(event.process);
  if (event.kind === 'forgotten') processes.remove([event.process]);
});

/** Running ones first, then by start time. */
export const listedProcesses = computed(() =>
  processes.all.value.toSorted(
    (a, b) => Number(a.state === 'ended') - Number(b.state === 'ended') || (a.startedAt < b.startedAt ? 1 : -1),
  ),
);

export const processesOf = (session: SessionId): readonly ProcessView[] =>
  listedProcesses.value.filter((process) => process.session === session);
