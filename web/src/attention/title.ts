/** What a person sees of the page who does not look at it: its name in the tab, its badge on the desk. */
import { computed, effect } from '@preact/signals';
import { route } from '../state/route';
import { currentSession, openSessions, unread } from '../state/sessions';
import { activity } from '../state/activity';

const NAMES = { home: undefined, session: undefined, processes: 'All processes', notices: 'Notices' } as const;

/** A question goes before work: it is the one of the two that waits for a person. */
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
  // Refused where the page is not installed: then there is no icon to put it on.
  if ('setAppBadge' in navigator) navigator.setAppBadge(unread.value).catch(() => undefined);
});
