/**
 * Messages that are not delivered yet.
 *
 *   written ──▶ stored here, with a key ──accepted by the host──▶ removed
 *                  │        ▲
 *                  │        └── no answer: retried later, and when the stream opens, with the same key
 *                  └── refused: kept with the reason until a person retries it or moves it back to the draft
 *
 *   1. The outbox survives a reload. The key prevents duplicates when a message is sent again.
 *   2. Messages are sent one after the other, in the order in which they were written.
 */
import { signal } from '@preact/signals';
import { HostUnreachable } from 'rouse/client/client';
import { SessionId } from 'rouse/contract/ids';
import { Mode } from 'rouse/contract/journal';
import { z } from 'zod';
import { host, reasonOf } from '../../state/host';
import { readWhenOpen } from '../../state/live';
import { draftOf, write } from './draft';
import { saveLocally } from './local-storage';
import { randomKey } from '../../state/random-key';

const Unsent = z.object({
  key: z.string(),
  session: SessionId,
  text: z.string(),
  mode: Mode,
  at: z.number(),
  trouble: z.object({ kind: z.enum(['unreachable', 'refused']), why: z.string() }).optional(),
});
export type Unsent = z.infer<typeof Unsent>;

const PLACE = 'rouse outbox';

/** An outbox of another version is dropped. */
const Kept = z.array(Unsent).catch([]);

const kept = (): readonly Unsent[] => Kept.parse(JSON.parse(localStorage.getItem(PLACE) ?? '[]'));

export const outbox = signal(kept());

function become(unsent: readonly Unsent[]): void {
  outbox.value = unsent;
  saveLocally(PLACE, JSON.stringify(unsent));
}

// Another tab changed the outbox.
addEventListener('storage', ({ key }) => void (key === PLACE && (outbox.value = kept())));

export function send(session: SessionId, text: string, mode: Mode): void {
  become([...outbox.value, { key: randomKey(), session, text, mode, at: Date.now() }]);
  void deliver();
}

export function tryAgain(key: string): void {
  change(key, ({ trouble: _over, ...unsent }) => unsent);
  void deliver();
}

/** Moves a message back to the start of the draft. */
export function takeBack({ key, session, text }: Unsent): void {
  become(outbox.value.filter((unsent) => unsent.key !== key));
  write(session, [text, draftOf(session).value].filter(Boolean).join('\n'));
}

function change(key: string, how: (unsent: Unsent) => Unsent): void {
  become(outbox.value.map((unsent) => (unsent.key === key ? how(unsent) : unsent)));
}

const LONGEST_PAUSE_MS = 15_000;
let failures = 0;
let delivering = false;

async function deliver(): Promise<void> {
  if (delivering) return;
  delivering = true;
  try {
    for (let next = sendable(); next; next = sendable()) if (!(await reached(next))) break;
  } finally {
    delivering = false;
  }
}

const sendable = (): Unsent | undefined => outbox.value.find(({ trouble }) => !trouble);

/** Whether the host answered. If not, later messages must wait. */
async function reached({ key, session, text, mode }: Unsent): Promise<boolean> {
  try {
    await host.send(session, text, { mode, key });
    become(outbox.value.filter((unsent) => unsent.key !== key));
  } catch (error) {
    if (error instanceof HostUnreachable) return unreached(key);
    change(key, (unsent) => ({ ...unsent, trouble: { kind: 'refused', why: reasonOf(error) } }));
  }
  failures = 0;
  return true;
}

function unreached(key: string): false {
  change(key, (unsent) => ({ ...unsent, trouble: { kind: 'unreachable', why: 'The host does not answer.' } }));
  setTimeout(tryAllAgain, Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** failures++));
  return false;
}

/** A person decides about refused messages. */
function tryAllAgain(): void {
  become(outbox.value.map(({ trouble, ...unsent }) => (trouble?.kind === 'refused' ? { ...unsent, trouble } : unsent)));
  void deliver();
}

readWhenOpen(tryAllAgain);
addEventListener('online', tryAllAgain);
