/**
 * What is seen of turns before it is in the journal: words as they come. Nothing here is remembered beyond the running
 * step; whoever comes late gets what there is of it.
 */
import type { LiveEvent } from '../../contract/feed.js';
import type { SessionId, TurnId } from '../../contract/ids.js';

type Words = { readonly turn: TurnId; text: string; reasoning: string };

export class Live {
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #words = new Map<SessionId, Words>();

  tell(event: LiveEvent): void {
    this.#keep(event);
    for (const heard of this.#listeners) heard(event);
  }

  listen(heard: (event: LiveEvent) => void): Disposable {
    this.#listeners.add(heard);
    return { [Symbol.dispose]: () => this.#listeners.delete(heard) };
  }

  /** What there is of the running steps. */
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
