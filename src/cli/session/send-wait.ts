/**
 * Waiting for the outcome of a message. Events are hints; what counts is what the journal says when it is read.
 *
 *   message ──▶ its turn ──cut off──▶ the turn that resumes it ──▶ its end
 */
import type { RouseClient } from '../../client/client.js';
import { followJournal } from '../../client/follow.js';
import type { MessageAnswer } from '../../contract/message.js';
import type { SnapshotAnswer } from '../../contract/session.js';
import type { SessionId } from '../../contract/ids.js';
import type { EntryView, TurnEnd } from '../../contract/journal.js';
import { answer, say, type Caller } from '../caller.js';
import { DONE, FAILED } from '../command.js';
import { TURN_ENDS } from '../print/journal-words.js';
import { oneLine, prose } from '../print/printable.js';
import { interruptible } from '../signals.js';

type Outcome = { readonly reason: TurnEnd | 'dropped'; readonly why?: string; readonly words: readonly string[] };

const LOOKED_AT = 1_000;
const DROPPED = 'No turn answered it: the session was reset or closed';

export function waitForAnswer(
  caller: Caller,
  client: RouseClient,
  session: SessionId,
  { message }: MessageAnswer,
): Promise<number> {
  return interruptible(async (signal) => {
    for await (const event of followJournal(client, { session, entries: 0, signal })) {
      if (!ADVICE.has(event.kind === 'entry' ? event.entry.kind : event.kind)) continue;
      const outcome = await look(client, session, message, signal);
      if (outcome) return report(caller, outcome);
    }
    return FAILED;
  });
}

/** After these there may be something to see. */
const ADVICE = new Set(['snapshot', 'heartbeat', 'turnEnded', 'turnBegan', 'note', 'answer']);

async function look(
  client: RouseClient,
  id: SessionId,
  message: MessageAnswer['message'],
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const ask = () => client.persist(() => client.session(id, { entries: LOOKED_AT }), { signal });
  const seen = await ask();
  const outcome = outcomeOf(seen, message);
  if (outcome || isBusy(seen) || waits(seen, message)) return outcome;
  // Its state is newer than its entries: what they lack now they will not lack the next time.
  const again = await ask();
  return outcomeOf(again, message) ?? (isBusy(again) ? undefined : cutOff(again, message));
}

const isBusy = ({ session }: SnapshotAnswer): boolean => session.state === 'running' || session.state === 'waiting';

const waits = ({ waiting }: SnapshotAnswer, { id }: MessageAnswer['message']): boolean =>
  waiting.some((message) => message.id === id);

/** Nothing runs, and no end was written down: a restart came after the last word, or no turn ever began. */
function cutOff({ entries }: SnapshotAnswer, { id }: MessageAnswer['message']): Outcome {
  const begun = entries.findIndex((entry) => entry.kind === 'message' && entry.message === id);
  const words = begun < 0 ? [] : wordsOf(entries.slice(begun));
  return { reason: begun < 0 ? 'dropped' : 'finished', words };
}

const wordsOf = (entries: readonly EntryView[]): readonly string[] =>
  entries.flatMap((entry) => (entry.kind === 'text' && !entry.silent && entry.text !== '' ? [entry.text] : []));

function outcomeOf({ entries }: SnapshotAnswer, { id, text }: MessageAnswer['message']): Outcome | undefined {
  const begun = entries.findIndex((entry) => entry.kind === 'message' && entry.message === id);
  if (begun >= 0) return endOf(entries.slice(begun));
  // Said while a question waited, it was taken as the answer.
  const answered = entries.findLastIndex((entry) => entry.kind === 'answer' && entry.text === text);
  return answered < 0 ? undefined : endOf(entries.slice(answered));
}

function endOf(entries: readonly EntryView[]): Outcome | undefined {
  // Another turn that begins without it says that it had said its last word when a restart cut it off.
  const at = entries.findIndex(
    (entry) =>
      entry.kind === 'turnEnded' ||
      (entry.kind === 'turnBegan' && entry.by !== 'resume') ||
      (entry.kind === 'note' && entry.about === 'notResumed'),
  );
  const last = entries[at];
  if (!last) return undefined;
  const words = wordsOf(entries.slice(0, at));
  if (last.kind === 'note') return { reason: 'failed', why: last.text, words };
  if (last.kind !== 'turnEnded') return { reason: 'finished', words };
  return { reason: last.reason, ...(last.why !== undefined && { why: last.why }), words };
}

function report(caller: Caller, { reason, why, words }: Outcome): number {
  for (const text of words) answer(caller, prose(text));
  if (reason === 'finished') return DONE;
  const end = reason === 'dropped' ? DROPPED : TURN_ENDS[reason];
  say(caller, `${end}${why === undefined ? '.' : `: ${oneLine(why)}`}`);
  return FAILED;
}
