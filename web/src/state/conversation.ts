/**
 * The open conversation: a fold of its journal, from a snapshot and then from the stream.
 *
 *   1. Entries that arrive while the snapshot is read are folded after it, so there is no gap.
 *   2. The snapshot may be ahead of the stream. Streaming text counts only once the stream has reached the snapshot:
 *      earlier text may already be on the screen as entries.
 */
import { computed, effect, signal } from '@preact/signals';
import { blank, fold, type Screen, type ScreenEvent } from 'rouse/client/screen';
import type { SnapshotAnswer } from 'rouse/contract/session';
import type { WaitingMessage } from 'rouse/contract/message';
import type { LiveEvent } from 'rouse/contract/event';
import type { SessionId } from 'rouse/contract/ids';
import { host, reasonOf } from './host';
import { follow, line, listen, readWhenOpen } from './live';
import { openSession } from './route';

export type Conversation =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly session: SessionId }
  | { readonly kind: 'failed'; readonly session: SessionId; readonly why: string }
  | {
      readonly kind: 'shown';
      readonly screen: Screen;
      readonly waiting: readonly WaitingMessage[];
      /** False when the first entry of the session is on the screen. */
      readonly more: boolean;
    };

const FIRST_ENTRIES = 150;
const MORE_ENTRIES = 400;

const current = signal<Conversation>({ kind: 'none' });

export const conversation = computed<Conversation>(() => {
  const shown = current.value;
  const wanted = openSession.value;
  // Between a click and the first read, do not show the last session under the name of the next.
  if (!wanted) return { kind: 'none' };
  return sessionOf(shown) === wanted ? shown : { kind: 'reading', session: wanted };
});

const sessionOf = (shown: Conversation): SessionId | undefined =>
  shown.kind === 'none' ? undefined : shown.kind === 'shown' ? shown.screen.session : shown.session;

/** The stream started over: something may be missing between what is shown and what it sends next. */
let stale = false;

/** Events that arrive while the snapshot is read. */
let early: { readonly session: SessionId; readonly events: ScreenEvent[] } | undefined;

/** The session whose streaming text is folded. */
let listening: SessionId | undefined;

async function read(session: SessionId): Promise<void> {
  const reading = { session, events: [] as ScreenEvent[] };
  early = reading;
  listening = undefined;
  try {
    const snapshot = await host.session(session, { entries: FIRST_ENTRIES });
    if (early !== reading) return;
    early = undefined;
    show(snapshot, reading.events);
    const words = await wordsAfter(session, snapshot.entries.at(-1)?.seq ?? 0);
    if (openSession.value !== session || listening || early) return;
    listening = session;
    for (const event of words) heard({ kind: 'live', event });
  } catch (error) {
    if (early !== reading) return;
    early = undefined;
    if (conversation.value.kind !== 'shown') current.value = { kind: 'failed', session, why: reasonOf(error) };
  }
}

function show({ session: { id }, entries, waiting, seq }: SnapshotAnswer, behind: readonly ScreenEvent[]): void {
  const before = current.value;
  const known = !stale && before.kind === 'shown' && before.screen.session === id ? before : undefined;
  stale = false;
  const start = fold(known?.screen ?? blank(id), { kind: 'cut' });
  const screen = [{ kind: 'snapshot', entries, seq } as const, ...behind].reduce(fold, start);
  const keptOlder = known && screen.entries[0]?.seq === known.screen.entries[0]?.seq;
  current.value = { kind: 'shown', screen, waiting, more: keptOlder ? known.more : entries.length >= FIRST_ENTRIES };
}

/** The text of the running step, once the stream has reached this number. */
async function wordsAfter(session: SessionId, seq: number): Promise<readonly LiveEvent[]> {
  for (;;) {
    const followed = await follow(session);
    if (followed.seq >= seq) return followed.words;
    await reached(seq);
  }
}

const reached = (seq: number): Promise<void> =>
  new Promise((resolve) => {
    const stop = listen((event) => {
      if (!('seq' in event) || event.seq < seq) return;
      stop();
      resolve();
    });
  });

export const readAgain = (): void => void (openSession.value && read(openSession.value));

effect(() => {
  const session = openSession.value;
  if (!session || line.peek().kind !== 'open') return;
  if (sessionOf(current.peek()) !== session) current.value = { kind: 'reading', session };
  void read(session);
});

readWhenOpen(readAgain);

listen((event) => {
  if (event.kind === 'restarted') stale = true;
  else if (event.kind !== 'live' || event.event.session === listening) heard(event);
});

function heard(event: ScreenEvent): void {
  early?.events.push(event);
  const shown = current.value;
  if (shown.kind !== 'shown' || stale) return;
  const screen = fold(shown.screen, event);
  if (screen !== shown.screen) current.value = { ...shown, screen };
}

/** Waiting messages are not in the journal: read them when the session changes. */
listen((event) => {
  if (event.kind === 'session' && event.session.id === openSession.value) void readWaiting(event.session.id);
});

let looks = 0;

async function readWaiting(session: SessionId): Promise<void> {
  const look = ++looks;
  // On failure everything is read again when the stream opens.
  const answer = await host.session(session, { entries: 0 }).catch(() => undefined);
  const shown = current.value;
  // The latest request has the newest answer.
  if (!answer || look !== looks || shown.kind !== 'shown' || shown.screen.session !== session) return;
  current.value = { ...shown, waiting: answer.waiting };
}

let older: Promise<void> | undefined;

/** Loads earlier entries. */
export function readOlder(): Promise<void> {
  older ??= readBefore().finally(() => (older = undefined));
  return older;
}

async function readBefore(): Promise<void> {
  const shown = current.value;
  const first = shown.kind === 'shown' && shown.more ? shown.screen.entries[0] : undefined;
  if (!first) return;
  const entries = await host.entries(first.session, { before: first.seq, limit: MORE_ENTRIES });
  const now = current.value;
  if (now.kind !== 'shown' || now.screen.entries[0] !== first) return;
  const screen = fold(now.screen, { kind: 'snapshot', entries, seq: 0 });
  current.value = { ...now, screen, more: entries.length >= MORE_ENTRIES };
}
