import type { SessionId } from 'rouse/contract/ids';
import { printable, shortened } from 'rouse/contract/display';
import { now } from '../../look/ago';
import { outbox, takeBack, tryAgain } from './outbox';

/** Do not show a message that is delivered sooner. */
const SHORT_MS = 1_500;

export function UnsentMessages({ session }: { readonly session: SessionId }) {
  const ours = outbox.value.filter((unsent) => unsent.session === session);
  const shown = ours.filter(({ trouble, at }) => trouble || now.value - at > SHORT_MS);
  if (shown.length === 0) return null;
  return (
    <ul class="waiting" aria-label="Unsent messages">
      {shown.map((unsent) => (
        <li key={unsent.key}>
          <span class={`badge ${unsent.trouble ? 'trouble' : 'accent'}`}>
            {unsent.trouble ? 'not sent' : 'sending'}
          </span>
          <span class="grow one-line">
            {unsent.trouble && <span class="trouble-text">{unsent.trouble.why} </span>}
            {shortened(printable(unsent.text.slice(0, 2_000)), 300)}
          </span>
          {unsent.trouble && (
            <>
              <button class="button quiet small" onClick={() => tryAgain(unsent.key)}>
                Try again
              </button>
              <button class="button quiet small" onClick={() => takeBack(unsent)}>
                Back to draft
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
