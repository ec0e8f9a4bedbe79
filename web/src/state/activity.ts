import { computed } from '@preact/signals';
import { processes } from './processes';
import { openSessions } from './sessions';

/** Running turns and processes over all sessions. */
export const activity = computed(() => ({
  turns: openSessions.value.filter(({ state }) => state === 'running' || state === 'waiting').length,
  processes: processes.all.value.filter(({ state }) => state !== 'ended').length,
}));
