import { computed } from '@preact/signals';
import type { SessionId } from 'rouse/contract/ids';
import type { SessionView } from 'rouse/contract/session';
import { Collection } from './collection';
import { host } from './host';
import { listen } from './live';
import { openSession } from './route';

export const sessions = new Collection<SessionId, SessionView>(() => host.sessions());

listen((event) => void (event.kind === 'session' && sessions.put(event.session)));

/** Those that are not archived, the one that changed last first. */
export const openSessions = computed(() =>
  sessions.all.value.filter(({ closedAt }) => !closedAt).toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)),
);

export const archivedSessions = computed(() =>
  sessions.all.value.filter(({ closedAt }) => closedAt).toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)),
);

export const currentSession = computed(() => sessions.get(openSession.value));

export const unread = computed(() => openSessions.value.reduce((sum, session) => sum + session.unread, 0));
