/** What a person has had before his eyes is not unread, on this or any other device. */
import { effect } from '@preact/signals';
import type { SessionId } from 'rouse/contract/ids';
import { conversation } from './conversation';
import { host } from './host';
import { visible } from './visible';
import { sessions } from './sessions';

const told = new Map<SessionId, number>();

effect(() => {
  const shown = conversation.value;
  if (shown.kind !== 'shown' || !visible.value) return;
  const { session, entries } = shown.screen;
  const last = entries.at(-1)?.seq ?? 0;
  if (last <= (told.get(session) ?? 0) || !sessions.get(session)?.unread) return;
  told.set(session, last);
  // Not worth a word when it fails: the mark stays, and is taken away with the next entry that is seen.
  const keep = sessions.asking(session);
  void host.seen(session, last).then(
    (answer) => keep(answer.session),
    () => told.delete(session),
  );
});
