/** Which processes are listed. Kept while a person opens one and comes back. */
import { computed, effect, signal } from '@preact/signals';
import { host } from '../state/host';
import { listedProcesses, processes, processesOf } from '../state/processes';
import { openSession } from '../state/route';

const wanted = signal<'session' | 'all'>('session');

export const asked = signal('');

/** Whether the list shows only the open session. */
export const ofSession = {
  get value(): boolean {
    return openSession.value !== undefined && wanted.value === 'session';
  },
  set value(is: boolean) {
    wanted.value = is ? 'session' : 'all';
  },
};

export const within = computed(() =>
  openSession.value && ofSession.value ? processesOf(openSession.value) : listedProcesses.value,
);

/** The list of all processes has a limit, so read those of the open session separately. */
effect(() => {
  const session = openSession.value;
  if (!session || !processes.known.value) return;
  // If reading fails, the list stays as it is.
  void host.list({ session, limit: 500 }).then(
    (found) => processes.learn(found),
    () => undefined,
  );
});
