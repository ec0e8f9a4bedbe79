/**
 * The conversation that is open: one fold of its journal, begun from a snapshot and gone on with by the line.
 *
 * The words of the running step are asked for first, then the snapshot is read, and what comes meanwhile is folded
 * behind it. A snapshot is never older than the line, so nothing falls between them.
 */
import { computed, effect, signal } from '@preact/signals';
import { blank, fold, type Screen, type ScreenEvent } from 'rouse/client/screen';
import type { WaitingMessage } from 'rouse/contract/api';
import type { SessionId } from 'rouse/contract/ids';
import { host, reasonOf } from './host';
import { follow, line, listen, readWhenOpen } from './live';
import { openSession } from './route';
import { sessions } from './sessions';

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
  // Between a click and the first reading nothing of the last session is shown under the name of the next.
  if (!wanted) return { kind: 'none' };
  return sessionOf(shown) === wanted ? shown : { kind: 'reading', session: wanted };
});

const sessionOf = (shown: Conversation): SessionId | undefined =>
  shown.kind === 'none' ? undefined : shown.kind === 'shown' ? shown.screen.session : shown.session;

/** The line began anew: between what is shown and what it says next, something may be missing. */
let stale = false;

/** Told after the words have come and before the snapshot has: folded behind it. */
let early: { readonly session: SessionId; readonly events: ScreenEvent[] } | undefined;

async function read(session: SessionId): Promise<void> {
  const reading = { session, events: [] as ScreenEvent[] };
  const words = await follow(session);
  if (openSession.value !== session) return;
  early = reading;
  try {
    const { entries, waiting, seq } = await host.session(session, { entries: FIRST_ENTRIES });
    if (early !== reading) return;
    early = undefined;
    const events: readonly ScreenEvent[] = [
      { kind: 'snapshot', entries, seq },
      ...words.map((event) => ({ kind: 'live', event }) as const),
      ...reading.events,
    ];
    const before = current.value;
    const known = !stale && before.kind === 'shown' && before.screen.session === session ? before : undefined;
    stale = false;
    // The same words come again, whole: those that are shown would stand there twice.
    const screen = events.reduce(fold, fold(known?.screen ?? blank(session), { kind: 'cut' }));
    const keptOlder = known && screen.entries[0]?.seq === known.screen.entries[0]?.seq;
    current.value = { kind: 'shown', screen, waiting, more: keptOlder ? known.more : entries.length >= FIRST_ENTRIES };
  } catch (error) {
    if (early !== reading) return;
    early = undefined;
    if (sessionOf(current.value) !== session || current.value.kind !== 'shown')
      current.value = { kind: 'failed', session, why: reasonOf(error) };
  }
}

export const readAgain = (): void => void (openSession.value && read(openSession.value));

effect(() => {
  const session = openSession.value;
  if (!session || line.peek().kind !== 'open') return;
  if (sessionOf(current.peek()) !== session) current.value = { kind: 'reading', session };
  void read(session);
});

readWhenOpen(readAgain);

listen((event) => {
  if (event.kind === 'anew') {
    stale = true;
    return;
  }
  early?.events.push(event);
  const shown = current.value;
  if (shown.kind !== 'shown' || stale) return;
  const screen = fold(shown.screen, event);
  if (screen !== shown.screen) current.value = { ...shown, screen };
});

/** Which messages wait is no part of the journal: it is looked at when the session says that something changed. */
listen((event) => {
  if (event.kind === 'session' && event.session.id === openSession.value) void readWaiting(event.session.id);
});

async function readWaiting(session: SessionId): Promise<void> {
  // Fails only with the line, which has everything read again when it opens.
  const answer = await host.session(session, { entries: 0 }).catch(() => undefined);
  if (!answer) return;
  const { waiting, session: view } = answer;
  const shown = current.value;
  if (shown.kind === 'shown' && shown.screen.session === session) current.value = { ...shown, waiting };
  sessions.put(view);
}

let older: Promise<void> | undefined;

/** Puts earlier entries before those that are shown. */
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
