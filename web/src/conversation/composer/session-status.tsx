/** Shows that the session is archived, has no agent, is paused, or that its model is being retried. */
import type { SessionView } from 'rouse/contract/session';
import { attempt, host } from '../../state/host';
import { sessions } from '../../state/sessions';
import { safeText } from '../../look/safe-text';
import { retrying } from './retrying';

export function SessionStatus({ session }: { readonly session: SessionView }) {
  if (session.closedAt)
    return (
      <p class="session-status">
        <span class="grow">This session is archived. It gets no more wakes.</span>
        <button
          class="button"
          onClick={() => void change(session, () => host.changeSession(session.id, { closed: false }))}
        >
          Unarchive
        </button>
      </p>
    );
  if (session.agent === 'none')
    return <p class="session-status">This session has no agent. It only keeps processes and notices.</p>;
  if (session.state === 'paused')
    return (
      <p class="session-status trouble">
        <span class="grow">
          <strong>Wakes are paused.</strong> {safeText(session.pausedWhy ?? '')}
        </span>
        <button class="button" onClick={() => void change(session, () => host.resumeWakes(session.id))}>
          Resume
        </button>
      </p>
    );
  const asked = retrying.value;
  return asked?.session === session.id ? (
    <p class="session-status quiet" role="status">
      {asked.words}
    </p>
  ) : null;
}

async function change({ id }: SessionView, how: () => Promise<{ readonly session: SessionView }>): Promise<void> {
  const keep = sessions.asking(id);
  const answer = await attempt(how);
  if (answer) keep(answer.session);
}
