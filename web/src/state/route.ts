/** The route, kept in the hash, so that reload, new tabs and the back button work. */
import { computed, signal } from '@preact/signals';
import { ProcessId, SessionId } from 'rouse/contract/ids';

export type Route =
  | { readonly kind: 'home' }
  | { readonly kind: 'session'; readonly session: SessionId; readonly process?: ProcessId }
  | { readonly kind: 'processes'; readonly process?: ProcessId }
  | { readonly kind: 'notices' };

const address = signal(location.hash);
addEventListener('hashchange', () => (address.value = location.hash));

export const route = computed<Route>(() => parsed(address.value));

export const openSession = computed(() => (route.value.kind === 'session' ? route.value.session : undefined));

/** The process whose output is shown. */
export const openProcess = computed(() => ('process' in route.value ? route.value.process : undefined));

function parsed(hash: string): Route {
  const [kind, first, , second] = hash.replace(/^#\//, '').split('/');
  if (kind === 'notices') return { kind: 'notices' };
  if (kind === 'processes') return { kind: 'processes', ...shown(first) };
  const session = SessionId.safeParse(first);
  return kind === 'sessions' && session.success
    ? { kind: 'session', session: session.data, ...shown(second) }
    : { kind: 'home' };
}

function shown(id: string | undefined): { process?: ProcessId } {
  const process = ProcessId.safeParse(id);
  return process.success ? { process: process.data } : {};
}

export function addressOf(route: Route): string {
  switch (route.kind) {
    case 'home':
      return '#/';
    case 'notices':
      return '#/notices';
    case 'processes':
      return route.process ? `#/processes/${route.process}` : '#/processes';
    case 'session':
      return `#/sessions/${route.session}${route.process ? `/processes/${route.process}` : ''}`;
  }
}

export function go(to: Route): void {
  location.hash = addressOf(to);
  // The hashchange event comes later; update the route now.
  address.value = location.hash;
}

/** Shows a process without leaving the open session. */
export function goToProcess(process: ProcessId): void {
  const session = openSession.value;
  go(session ? { kind: 'session', session, process } : { kind: 'processes', process });
}
