/** Whose processes are listed, and which of them. Kept while a person looks into one and comes back. */
import { computed, effect, signal } from '@preact/signals';
import { host } from '../state/host';
import { listedProcesses, processes, processesOf } from '../state/processes';
import { openSession } from '../state/route';

const wanted = signal<'session' | 'all'>('session');

export const asked = signal('');

/** Whether the list is of the open session only. */
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

/** The list of all is cut at some length; that of a session should have what is its own. */
effect(() => {
  const session = openSession.value;
  if (!session || !processes.known.value) return;
  // A reading that fails leaves the list as it was.
  void host.list({ session, limit: 500 }).then(
    (found) => processes.learn(found),
    () => undefined,
  );
});
