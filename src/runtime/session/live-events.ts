/** What screens show of running turns before it is in the journal. */
import type { LiveEvent } from '../../contract/event.js';
import type { SessionId, TurnId } from '../../contract/ids.js';
import { Listeners } from '../listeners.js';

type Words = { readonly turn: TurnId; text: string; reasoning: string };

/** Keeps the words of the running step only, for readers that connect in its middle. */
export class LiveEvents extends Listeners<[event: LiveEvent]> {
  readonly #words = new Map<SessionId, Words>();

  override notify(event: LiveEvent): void {
    this.#keep(event);
    super.notify(event);
  }

  /** The words of the running steps so far. */
  soFar(): readonly LiveEvent[] {
    return [...this.#words].map(([session, words]) => ({ session, kind: 'words', ...words }));
  }

  #keep(event: LiveEvent): void {
    const { session, turn } = event;
    if (event.kind === 'cleared') this.#words.delete(session);
    if (event.kind !== 'delta') return;
    const words = this.#words.get(session) ?? { turn, text: '', reasoning: '' };
    words[event.of] += event.text;
    this.#words.set(session, words);
  }
}

/** Collects events in order and joins consecutive words of one step. */
export class LiveBatch {
  #events: LiveEvent[] = [];
  /** The index of the last event of each session. */
  readonly #last = new Map<SessionId, number>();

  add(event: LiveEvent): void {
    const at = this.#last.get(event.session);
    const joined = at === undefined ? undefined : joinedWith(this.#events[at], event);
    if (joined && at !== undefined) this.#events[at] = joined;
    else this.#last.set(event.session, this.#events.push(event) - 1);
  }

  /** Returns all of them and starts over. */
  take(): readonly LiveEvent[] {
    const events = this.#events;
    this.#events = [];
    this.#last.clear();
    return events;
  }
}

function joinedWith(before: LiveEvent | undefined, event: LiveEvent): LiveEvent | undefined {
  if (before?.kind !== 'delta' || event.kind !== 'delta') return undefined;
  return before.turn === event.turn && before.of === event.of
    ? { ...before, text: before.text + event.text }
    : undefined;
}
