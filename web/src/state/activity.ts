import { computed } from '@preact/signals';
import { processes } from './processes';
import { openSessions } from './sessions';

/** Whether anything works at all, anywhere. */
export const activity = computed(() => ({
  turns: openSessions.value.filter(({ state }) => state === 'running' || state === 'waiting').length,
  processes: processes.all.value.filter(({ state }) => state !== 'ended').length,
}));
