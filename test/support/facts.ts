/** What a webhook was told, by the facts in it. */
import { expect } from 'vitest';
import type { NoticeView } from '../../src/contract/notice.js';
import type { Receiver } from './receiver.js';

/** Names the fact and nothing else: told under another id, it is still the same one. */
export function factOf({ kind, process, cause }: NoticeView): string {
  const about = process ?? 'nobody';
  return 'text' in cause ? `${kind} ${about} ${cause.text}` : `${kind} ${about}`;
}

/** Every fact that came, sorted. Fails if one came under two ids, if an id told two, or if one was not signed. */
export function factsTold({ received }: Receiver): readonly string[] {
  const ids = new Map<string, string>();
  const facts = new Map<string, string>();
  for (const { id, notice, signed } of received) {
    const fact = factOf(notice);
    expect({ id, signed }, fact).toEqual({ id: notice.id, signed: true });
    expect(ids.get(fact) ?? id, `the id of "${fact}"`).toBe(id);
    expect(facts.get(id) ?? fact, `the fact of ${id}`).toBe(fact);
    ids.set(fact, id);
    facts.set(id, fact);
  }
  return [...ids.keys()].toSorted();
}
