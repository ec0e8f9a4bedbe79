import { useSignal } from '@preact/signals';
import type { SessionView } from 'rouse/contract/session';
import { Ago } from '../look/ago';
import { Icon } from '../look/icon';
import { deadNotices } from '../state/notices';
import { addressOf, openSession, route, type Route } from '../state/route';
import { archivedSessions, openSessions, sessions } from '../state/sessions';
import { activity } from '../state/activity';
import { sidebarShown } from '../state/panes';
import { open } from './dialogs';

export function SessionList() {
  const search = useSignal('');
  const archived = useSignal(false);
  const asked = search.value.trim().toLowerCase();
  const listed = (archived.value ? archivedSessions : openSessions).value.filter(
    ({ title, id }) => title.toLowerCase().includes(asked) || id.startsWith(asked),
  );
  return (
    <nav class="sessions" aria-label="Sessions" onClick={closeWhenNarrow}>
      <div class="sessions-head">
        <a href={addressOf({ kind: 'home' })} class="brand">
          <img src="/icon.svg" alt="" width="20" height="20" /> Rouse
        </a>
        <Works />
        <a
          class="button quiet icon"
          href={addressOf({ kind: 'home' })}
          aria-label="New session"
          title="New session (N)"
        >
          <Icon name="plus" />
        </a>
      </div>
      <label class="sessions-search">
        <span class="unseen">Search sessions</span>
        <Icon name="search" />
        <input
          id="session-search"
          type="search"
          placeholder="Search"
          value={search.value}
          onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        />
      </label>
      <ul class="sessions-list">
        {listed.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
        {sessions.known.value && listed.length === 0 && (
          <li class="faint small nothing">{emptyWords(asked, archived.value)}</li>
        )}
      </ul>
      <ul class="sessions-foot">
        <FootLink to={{ kind: 'processes' }} icon="process" words="All processes" />
        <FootLink to={{ kind: 'notices' }} icon="bell" words="Notices" count={deadNotices.value.length} />
        <li>
          <button
            class="foot-link"
            aria-pressed={archived.value}
            onClick={(event) => {
              event.stopPropagation();
              archived.value = !archived.value;
            }}
          >
            <Icon name="archive" /> {archived.value ? 'Back to open sessions' : 'Archived'}
          </button>
        </li>
        <li>
          <button class="foot-link" onClick={() => open('palette')}>
            <Icon name="search" /> Commands and keys
          </button>
        </li>
      </ul>
    </nav>
  );
}

const emptyWords = (asked: string, archived: boolean): string =>
  asked ? 'No session matches.' : archived ? 'No archived sessions.' : 'No sessions yet.';

/** On a narrow screen, close the list after a choice. */
function closeWhenNarrow(event: MouseEvent): void {
  const chosen = event.target instanceof Element && event.target.closest('a, .foot-link');
  if (chosen && matchMedia('(max-width: 759px)').matches) sidebarShown.value = false;
}

/** Counts running turns and processes over all sessions. */
function Works() {
  const { turns, processes } = activity.value;
  const what = [counted(turns, 'turn', 'turns'), counted(processes, 'process', 'processes')].filter(Boolean).join(', ');
  return (
    <span class="works grow" role="status" data-works={what !== ''} title={what || 'Nothing is running'}>
      {what && (
        <span class="badge live">
          <span class="pulse" /> {turns + processes} running
          <span class="unseen">: {what}</span>
        </span>
      )}
    </span>
  );
}

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : many}`;

const FootLink = ({
  to,
  icon,
  words,
  count = 0,
}: {
  readonly to: Route;
  readonly icon: 'process' | 'bell';
  readonly words: string;
  readonly count?: number;
}) => (
  <li>
    <a class="foot-link" href={addressOf(to)} aria-current={route.value.kind === to.kind ? 'page' : undefined}>
      <Icon name={icon} /> <span class="grow">{words}</span>
      {count > 0 && <span class="badge trouble">{count} dead</span>}
    </a>
  </li>
);

const SessionRow = ({ session }: { readonly session: SessionView }) => (
  <li>
    <a
      class="session-row"
      href={addressOf({ kind: 'session', session: session.id })}
      aria-current={openSession.value === session.id ? 'page' : undefined}
      data-state={session.state}
      data-unread={session.unread > 0}
    >
      <span class="session-title one-line">{session.title}</span>
      <span class="session-age faint small">
        <Ago at={session.updatedAt} />
      </span>
      <span class="session-marks small">
        <StateMark session={session} />
        {session.running > 0 && (
          <span class="mark" title={`${session.running} running`}>
            <Icon name="process" size={13} /> {session.running}
            <span class="unseen"> running</span>
          </span>
        )}
        {session.owed > 0 && (
          <span class="mark" title={`${session.owed} pending notices`}>
            <Icon name="bell" size={13} /> {session.owed}
            <span class="unseen"> pending notices</span>
          </span>
        )}
        {session.unread > 0 && (
          <span class="unread">
            {session.unread}
            <span class="unseen"> unread</span>
          </span>
        )}
      </span>
    </a>
  </li>
);

function StateMark({ session: { state, pausedWhy, agent } }: { readonly session: SessionView }) {
  switch (state) {
    case 'running':
      return (
        <span class="mark live-text">
          <span class="pulse" /> working
        </span>
      );
    case 'waiting':
      return (
        <span class="mark accent-text">
          <Icon name="hand" size={13} /> asks you
        </span>
      );
    case 'paused':
      return (
        <span class="mark trouble-text" title={pausedWhy}>
          paused
        </span>
      );
    case 'idle':
      return <span class="mark faint">{agent === 'none' ? 'no agent' : 'idle'}</span>;
  }
}
