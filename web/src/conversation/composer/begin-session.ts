/** Starts a session with its first message. The key prevents a second session on a retry. */
import type { SessionId } from 'rouse/contract/ids';
import type { NewSession, SessionView } from 'rouse/contract/session';
import { attempt, host } from '../../state/host';
import { go } from '../../state/route';
import { sessions } from '../../state/sessions';
import { draftOf, write } from './draft';
import { send } from './outbox';
import { randomKey } from '../../state/random-key';

let key = randomKey();

export async function beginSession(wanted: Pick<NewSession, 'agent' | 'model'>, text: string): Promise<void> {
  const session = await begun(wanted);
  if (!session) return;
  if (draftOf('new').value.trim() === text.trim()) write('new', '');
  if (text.trim() !== '') send(session.id, text, 'queue');
  go({ kind: 'session', session: session.id });
}

/** Starts a session and keeps the draft unsent: a file needs a session. */
export async function beginWithDraft(wanted: Pick<NewSession, 'agent' | 'model'>): Promise<SessionId | undefined> {
  const session = await begun(wanted);
  if (!session) return undefined;
  write(session.id, draftOf('new').value);
  write('new', '');
  go({ kind: 'session', session: session.id });
  return session.id;
}

async function begun(wanted: Pick<NewSession, 'agent' | 'model'>): Promise<SessionView | undefined> {
  const answer = await attempt(() => host.createSession({ ...wanted, key }));
  if (!answer) return undefined;
  key = randomKey();
  sessions.learn([answer.session]);
  return answer.session;
}
