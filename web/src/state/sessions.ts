import { computed } from '@preact/signals';
import type { SessionId } from 'rouse/contract/ids';
import type { SessionView } from 'rouse/contract/session';
import { printable } from 'rouse/contract/display';
import { Collection } from './collection';
import { host } from './host';
import { listen } from './live';
import { openSession } from './route';

export const sessions = new Collection<SessionId, SessionView>(
  () => host.sessions(),
  // Titles are untrusted and shown in many places, so clean them once here.
  (session) => ({ ...session, title: printable(session.title) || 'Untitled' }),
);

listen((event) => void (event.kind === 'session' && sessions.put(event.session)));

/** Sessions that are not archived, last changed first. */
export const openSessions = computed(() =>
  sessions.all.value.filter(({ closedAt }) => !closedAt).toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)),
);

export const archivedSessions = computed(() =>
  sessions.all.value.filter(({ closedAt }) => closedAt).toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)),
);

export const currentSession = computed(() => sessions.get(openSession.value));

export const unread = computed(() => openSessions.value.reduce((sum, session) => sum + session.unread, 0));
