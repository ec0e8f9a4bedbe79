/** Marks entries as seen, on all devices, once they were visible. */
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
  // On failure the unread mark stays until the next entry is seen.
  const keep = sessions.asking(session);
  void host.seen(session, last).then(
    (answer) => keep(answer.session),
    () => told.delete(session),
  );
});
