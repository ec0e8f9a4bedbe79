import { useState } from 'preact/hooks';
import type { SessionView } from 'rouse/contract/session';
import { Icon } from '../look/icon';
import { attempt, host } from '../state/host';
import { go } from '../state/route';
import { sessions } from '../state/sessions';

/** The session's name, editable in place, and the archive button. */
export function SessionBar({ session }: { readonly session: SessionView }) {
  const [naming, setNaming] = useState(false);
  return (
    <>
      {naming ? (
        <Naming session={session} done={() => setNaming(false)} />
      ) : (
        <h1 class="grow session-name">
          <button class="one-line" title="Rename" onClick={() => setNaming(true)}>
            {session.title}
          </button>
        </h1>
      )}
      <button
        class="button quiet icon"
        aria-label={session.closedAt ? 'Unarchive' : 'Archive'}
        title={session.closedAt ? 'Unarchive' : 'Archive: stops its wakes'}
        onClick={() => void archive(session)}
      >
        <Icon name="archive" />
      </button>
    </>
  );
}

function Naming({ session, done }: { readonly session: SessionView; readonly done: () => void }) {
  const rename = async (title: string): Promise<void> => {
    done();
    if (title.trim() === '' || title.trim() === session.title) return;
    await change(session, { title: title.trim() });
  };
  return (
    <input
      class="field grow"
      aria-label="Session name"
      autofocus
      ref={(input) => input?.focus()}
      defaultValue={session.title}
      maxLength={200}
      onBlur={({ currentTarget }) => void rename(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') done();
      }}
    />
  );
}

async function change(session: SessionView, changes: Parameters<typeof host.changeSession>[1]): Promise<void> {
  const keep = sessions.asking(session.id);
  const changed = await attempt(() => host.changeSession(session.id, changes));
  if (changed) keep(changed.session);
}

export async function archive(session: SessionView): Promise<void> {
  const closed = !session.closedAt;
  await change(session, { closed });
  if (closed) go({ kind: 'home' });
}
