/** What holds of every journal, whatever was killed while it was written. */
import { expect } from 'vitest';
import type { EntryView } from '../../src/contract/journal.js';
import type { NoticeView } from '../../src/contract/notice.js';

/** Numbers rise; one turn at a time, each with one beginning, one end at most, and nothing behind it (T2 T7). */
export function expectSound(entries: readonly EntryView[], when: string): void {
  const over = new Set<string>();
  let current: string | undefined;
  let [seq, generation] = [0, 0];
  for (const entry of entries) {
    expect(entry.seq, `${when}: the numbers rise`).toBeGreaterThan(seq);
    seq = entry.seq;
    if (entry.kind === 'turnBegan') {
      expect(entry.generation, `${when}: the generations rise`).toBeGreaterThan(generation);
      generation = entry.generation;
      if (current) over.add(current);
      current = entry.turn;
    }
    if (entry.turn === undefined) continue;
    expect(over.has(entry.turn), `${when}: ${entry.kind} ${entry.seq} comes after the end of its turn`).toBe(false);
    expect(entry.turn, `${when}: ${entry.kind} ${entry.seq} is of the turn that runs`).toBe(current);
    if (entry.kind === 'turnEnded') over.add(entry.turn);
  }
}

/** Every notice is settled, told in one wake if it was told, and consumed only by a result in the journal (N5 N7). */
export function expectToldOnce(entries: readonly EntryView[], notices: readonly NoticeView[], when: string): void {
  const told = entries.flatMap((entry) => (entry.kind === 'wake' ? entry.causes.map(({ notice }) => notice) : []));
  const shown = new Set(entries.flatMap((entry) => (entry.kind === 'toolResult' ? (entry.process ?? []) : [])));
  expect(new Set(told).size, `${when}: none is told twice`).toBe(told.length);
  for (const { id, state, process } of notices) {
    expect(state, `${when}: ${id} is settled`).not.toBe('pending');
    expect(told.includes(id), `${when}: ${id} is ${state}`).toBe(state === 'delivered');
    if (state === 'consumed')
      expect(process !== undefined && shown.has(process), `${when}: the end of ${process} was shown`).toBe(true);
  }
}

/** Each message is in the journal once, with an answer behind it or a line that says why there is none. */
export function expectAnswered(entries: readonly EntryView[], text: string, when: string): void {
  const asked = entries.flatMap((entry, at) => (entry.kind === 'message' && entry.text === text ? [at] : []));
  expect(asked, `${when}: "${text}" was said once`).toHaveLength(1);
  const after = entries.slice(asked[0]);
  const answered = after.some(
    (entry) => entry.kind === 'text' || (entry.kind === 'note' && entry.about === 'notResumed'),
  );
  expect(answered, `${when}: "${text}" is answered`).toBe(true);
}
