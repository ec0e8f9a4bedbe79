import { durationInWords } from 'rouse/contract/display';
import './notice-row.css';
import { useSignal } from '@preact/signals';
import type { NoticeAnswer, NoticeView } from 'rouse/contract/notice';
import { Ago, now } from '../look/ago';
import { attempt, host } from '../state/host';
import { notices } from '../state/notices';
import { addressOf } from '../state/route';
import { sessions } from '../state/sessions';
import { explain } from '../state/why';
import { canDismiss, canRetry, heldBack, stateTones } from './notice-words';

/** One notice with the reason for its state. Inside a process it leaves out the links. */
export function NoticeRow({ notice, within }: { readonly notice: NoticeView; readonly within: 'all' | 'process' }) {
  const why = useSignal<readonly string[] | undefined>(undefined);
  const toggle = async (): Promise<void> => {
    why.value = why.value ? undefined : await attempt(() => explain(notice.id));
  };
  const held = heldBack(notice.cause);
  return (
    <li class="notice-row" data-state={notice.state}>
      <span class={`badge ${stateTones[notice.state]} notice-state`}>{notice.state}</span>
      <p class="notice-line">
        {withoutId(notice)}
        {held > 0 && <span class="badge accent notice-held">{held.toLocaleString('en')} held back</span>}
      </p>
      <div class="notice-facts small soft">
        <Ago at={notice.at} />
        {within === 'all' && <Links notice={notice} />}
        <Attempts notice={notice} />
        {notice.reason && <span class="notice-reason">{notice.reason}</span>}
      </div>
      <div class="notice-actions small">
        <button class="button quiet" aria-expanded={why.value !== undefined} onClick={() => void toggle()}>
          Why?
        </button>
        {canRetry(notice) && (
          <button class="button" onClick={() => void settle(notice, () => host.retry(notice.id))}>
            Retry
          </button>
        )}
        {canDismiss(notice) && (
          <button class="button quiet" onClick={() => void settle(notice, () => host.dismiss(notice.id))}>
            Dismiss
          </button>
        )}
      </div>
      {why.value && (
        <div class="notice-why small">
          {why.value.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
    </li>
  );
}

/** The id is shown as a link. */
const withoutId = ({ line, process }: NoticeView): string => (process ? line.replace(` (${process})`, '') : line);

function Links({ notice: { session, process } }: { readonly notice: NoticeView }) {
  return (
    <>
      <a class="one-line notice-session" href={addressOf({ kind: 'session', session })}>
        {sessions.get(session)?.title ?? session}
      </a>
      {process && (
        <a class="mono" href={addressOf({ kind: 'session', session, process })}>
          {process.slice(0, 12)}
        </a>
      )}
    </>
  );
}

function Attempts({ notice: { attempts, nextAttemptAt, state } }: { readonly notice: NoticeView }) {
  const waits = state === 'pending' && nextAttemptAt ? Date.parse(nextAttemptAt) - now.value : 0;
  if (attempts === 0) return null;
  return (
    <span>
      {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
      {waits > 0 && `, the next in ${durationInWords(waits)}`}
    </span>
  );
}

async function settle(known: NoticeView, work: () => Promise<NoticeAnswer>): Promise<void> {
  const keep = notices.asking(known.id);
  const answer = await attempt(work);
  if (answer) keep(answer.notice);
}
