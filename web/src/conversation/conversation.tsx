import './conversation.css';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { conversation, readAgain } from '../state/conversation';
import { currentSession } from '../state/sessions';
import { Composer } from './composer';
import { useConversationCommands } from './conversation-commands';
import { useThrottled } from './throttle';
import { RowList, type ListHandle } from './row-list';
import { rowsOf, type Settled } from './rows';
import { Announcements } from './announcements';

export function Conversation() {
  const shown = useThrottled(conversation);
  const list = useSignal<ListHandle | undefined>(undefined);
  useConversationCommands(list);
  const session = currentSession.value;
  return (
    <section class="conversation" aria-label="Session">
      {shown.kind === 'shown' ? (
        <Shown key={shown.screen.session} shown={shown} list={list} />
      ) : (
        <div class="rows-frame">{shown.kind === 'failed' && <Failed why={shown.why} />}</div>
      )}
      {session && <Composer key={session.id} session={session} />}
    </section>
  );
}

type IsShown = Extract<typeof conversation.value, { kind: 'shown' }>;

function Shown({ shown, list }: { readonly shown: IsShown; readonly list: Parameters<typeof RowList>[0]['handle'] }) {
  const before = useRef<Settled | undefined>(undefined);
  const { rows, settled } = rowsOf(shown.screen, shown.more, before.current);
  before.current = settled;
  return (
    <>
      <RowList rows={rows} more={shown.more} handle={list} />
      <Announcements rows={rows} />
    </>
  );
}

const Failed = ({ why }: { readonly why: string }) => (
  <div class="failed" role="alert">
    <p>This session cannot be shown: {why}</p>
    <button class="button" onClick={readAgain}>
      Try again
    </button>
  </div>
);
