/** The title of the tab and the badge of the installed app. */
import { computed, effect } from '@preact/signals';
import { route } from '../state/route';
import { currentSession, openSessions, unread } from '../state/sessions';
import { activity } from '../state/activity';

const NAMES = { home: undefined, session: undefined, processes: 'All processes', notices: 'Notices' } as const;

/** A question comes before work, because it waits for a person. */
const sign = computed(() => {
  if (openSessions.value.some(({ state }) => state === 'waiting')) return '? ';
  return activity.value.turns + activity.value.processes > 0 ? '● ' : '';
});

effect(() => {
  const count = unread.value > 0 ? `(${unread.value}) ` : '';
  const name = currentSession.value?.title ?? NAMES[route.value.kind];
  document.title = `${count}${sign.value}${name ? `${name} · ` : ''}Rouse`;
});

effect(() => {
  // Browsers refuse this if the page is not installed.
  if ('setAppBadge' in navigator) navigator.setAppBadge(unread.value).catch(() => undefined);
});
