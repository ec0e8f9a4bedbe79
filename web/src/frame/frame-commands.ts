import { attempt, host } from '../state/host';
import { go, openSession } from '../state/route';
import { currentSession, openSessions } from '../state/sessions';
import type { Command } from '../keyboard/commands';
import { panelShown, sidebarShown } from '../state/panes';
import { archive } from './session-bar';
import { open } from './dialogs';

export const frameCommands = (): readonly Command[] => [
  {
    id: 'palette',
    title: 'Commands',
    group: 'Everywhere',
    keys: 'mod+k',
    whileTyping: true,
    run: () => open('palette'),
  },
  { id: 'keys', title: 'Show all keys', group: 'Everywhere', keys: '?', run: () => open('keys') },
  {
    id: 'panel',
    title: 'Show or hide the processes',
    group: 'Everywhere',
    keys: 'p',
    run: () => (panelShown.value = !panelShown.value),
  },
  {
    id: 'sidebar',
    title: 'Show or hide the sessions',
    group: 'Everywhere',
    keys: 'b',
    run: () => (sidebarShown.value = !sidebarShown.value),
  },
  {
    id: 'all-processes',
    title: 'Go to all processes',
    group: 'Everywhere',
    keys: 'shift+p',
    run: () => go({ kind: 'processes' }),
  },
  { id: 'notices', title: 'Go to notices', group: 'Everywhere', keys: 'shift+n', run: () => go({ kind: 'notices' }) },
  { id: 'sign-out', title: 'Sign out this browser', group: 'Everywhere', run: () => void signOut(false) },
  {
    id: 'sign-out-everywhere',
    title: 'Sign out all browsers and void unused links',
    group: 'Everywhere',
    run: () => void signOut(true),
  },
  { id: 'new', title: 'New session', group: 'Sessions', keys: 'n', run: () => go({ kind: 'home' }) },
  { id: 'next', title: 'Next session', group: 'Sessions', keys: 'j', run: () => step(1) },
  { id: 'previous', title: 'Previous session', group: 'Sessions', keys: 'k', run: () => step(-1) },
  { id: 'search', title: 'Search sessions', group: 'Sessions', keys: '/', run: search },
  {
    id: 'archive',
    title: 'Archive this session',
    group: 'Sessions',
    when: () => currentSession.value !== undefined && !currentSession.value.closedAt,
    run: () => void (currentSession.value && archive(currentSession.value)),
  },
];

async function signOut(everywhere: boolean): Promise<void> {
  await attempt(() => host.signOut({ everywhere }));
}

function step(by: number): void {
  const listed = openSessions.value;
  const at = listed.findIndex(({ id }) => id === openSession.value);
  const next = listed[at < 0 ? 0 : (at + by + listed.length) % listed.length];
  if (next) go({ kind: 'session', session: next.id });
}

function search(): void {
  sidebarShown.value = true;
  requestAnimationFrame(() => document.getElementById('session-search')?.focus());
}
