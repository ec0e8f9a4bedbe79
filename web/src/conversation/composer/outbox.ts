/**
 * Messages on their way.
 *
 *   written ──▶ kept here, with a key ──taken by the host──▶ gone
 *                  │        ▲
 *                  │        └── no answer: tried again after a while, and when the line opens, under the same key
 *                  └── turned down: kept with the reason, until a person tries again or takes it back
 *
 *   1. What is here survives a reload. The key makes that nothing is said twice, whoever tries again.
 *   2. One after the other, in the order in which they were written.
 */
import { signal } from '@preact/signals';
import { HostUnreachable } from 'rouse/client/client';
import type { SessionId } from 'rouse/contract/ids';
import type { Mode } from 'rouse/contract/journal';
import { host, reasonOf } from '../../state/host';
import { readWhenOpen } from '../../state/live';
import { write, draftOf } from './draft';

export type Unsent = {
  readonly key: string;
  readonly session: SessionId;
  readonly text: string;
  readonly mode: Mode;
  readonly at: number;
  readonly trouble?: { readonly kind: 'unreachable' | 'refused'; readonly why: string };
};

const PLACE = 'rouse outbox';

const kept = (): readonly Unsent[] => JSON.parse(localStorage.getItem(PLACE) ?? '[]') as readonly Unsent[];

export const outbox = signal(kept());

function keep(unsent: readonly Unsent[]): void {
  outbox.value = unsent;
  localStorage.setItem(PLACE, JSON.stringify(unsent));
}

// Another tab has sent or written one.
addEventListener('storage', ({ key }) => void (key === PLACE && (outbox.value = kept())));

export function send(session: SessionId, text: string, mode: Mode): void {
  keep([...outbox.value, { key: crypto.randomUUID(), session, text, mode, at: Date.now() }]);
  void deliver();
}

export function tryAgain(key: string): void {
  change(key, ({ trouble: _over, ...unsent }) => unsent);
  void deliver();
}

/** Back into the draft, before whatever stands there. */
export function takeBack({ key, session, text }: Unsent): void {
  keep(outbox.value.filter((unsent) => unsent.key !== key));
  write(session, [text, draftOf(session).value].filter(Boolean).join('\n'));
}

function change(key: string, how: (unsent: Unsent) => Unsent): void {
  keep(outbox.value.map((unsent) => (unsent.key === key ? how(unsent) : unsent)));
}

const LONGEST_PAUSE_MS = 15_000;
let failures = 0;
let delivering = false;

async function deliver(): Promise<void> {
  if (delivering) return;
  delivering = true;
  try {
    for (let next = sendable(); next; next = sendable()) await deliverOne(next);
  } finally {
    delivering = false;
  }
}

const sendable = (): Unsent | undefined => outbox.value.find(({ trouble }) => !trouble);

async function deliverOne({ key, session, text, mode }: Unsent): Promise<void> {
  try {
    await host.send(session, text, { mode, key });
    failures = 0;
    keep(outbox.value.filter((unsent) => unsent.key !== key));
  } catch (error) {
    const unreachable = error instanceof HostUnreachable;
    if (unreachable) setTimeout(tryAllAgain, Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** failures++));
    const trouble = unreachable
      ? ({ kind: 'unreachable', why: 'The host does not answer.' } as const)
      : ({ kind: 'refused', why: reasonOf(error) } as const);
    change(key, (unsent) => ({ ...unsent, trouble }));
  }
}

/** What was turned down is left to a person. */
function tryAllAgain(): void {
  keep(kept().map(({ trouble, ...unsent }) => (trouble?.kind === 'refused' ? { ...unsent, trouble } : unsent)));
  void deliver();
}

readWhenOpen(tryAllAgain);
addEventListener('online', tryAllAgain);
