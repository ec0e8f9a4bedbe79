/** What is told live within a moment, in its order; words of one step that come one after the other are joined. */
import type { LiveEvent } from '../contract/feed.js';
import type { SessionId } from '../contract/ids.js';

export class Moment {
  #events: LiveEvent[] = [];
  /** Where the last event of each session stands. */
  readonly #last = new Map<SessionId, number>();

  add(event: LiveEvent): void {
    const at = this.#last.get(event.session);
    const joined = at === undefined ? undefined : joinedWith(this.#events[at], event);
    if (joined && at !== undefined) this.#events[at] = joined;
    else this.#last.set(event.session, this.#events.push(event) - 1);
  }

  /** All of them; the next moment begins. */
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
