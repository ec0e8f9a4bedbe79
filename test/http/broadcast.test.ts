import { describe, expect, test } from 'vitest';
import type { LiveEvent } from '../../src/contract/event.js';
import { ProcessId, SessionId, TurnId } from '../../src/contract/ids.js';
import { Broadcast, serialised, type Frame, type Source } from '../../src/http/broadcast.js';
import { EventFollower } from '../../src/http/event-follower.js';
import { LiveEvents } from '../../src/runtime/session/live-events.js';
import { News } from '../../src/runtime/listeners.js';
import type { Subject, Told } from '../../src/runtime/people/overview.js';
import { FakeClock } from '../agent/fake-clock.js';
import { dice } from '../support/dice.js';

const sessionIds = ['a', 'b', 'c'].map((name) => SessionId.parse(`ses_${name.repeat(12)}`));
const turn = TurnId.parse('turn_000000000001');

type Event = { readonly name: string; readonly data: Record<string, unknown> };

/** A line whose reader makes room when he is told to, and no sooner. */
class Line {
  readonly over = new AbortController();
  readonly gone = this.over.signal;
  isBehind = false;
  text = '';
  #waiting: (() => void)[] = [];

  constructor(readonly fills: () => boolean) {}

  get isFull(): boolean {
    return this.isBehind;
  }

  write(chunk: string | Uint8Array): void {
    if (this.gone.aborted) return;
    this.text += Buffer.from(chunk).toString();
    if (this.fills()) this.isBehind = true;
  }

  room(): Promise<void> {
    return this.isBehind ? new Promise((made) => this.#waiting.push(made)) : Promise.resolve();
  }

  drop(): void {
    this.over.abort();
  }

  makeRoom(): void {
    this.isBehind = false;
    for (const made of this.#waiting.splice(0)) made();
  }

  get events(): readonly Event[] {
    return this.text
      .split('\n\n')
      .filter((block) => block !== '')
      .map((block) => ({
        name: /^event: (.*)$/m.exec(block)?.[1] ?? '',
        data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? 'null') as Record<string, unknown>,
      }));
  }
}

type Following = {
  readonly line: Line;
  readonly session: SessionId | undefined;
  readonly after: number;
  /** Which of the subjects had which version when he came. */
  readonly versions: ReadonlyMap<string, number>;
  readonly done: Promise<void>;
};

/** A host whose every reading takes its time, and in which anything may come between. */
function world(seed: number, padding = '') {
  const roll = dice(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(roll() * items.length)] as Item;
  const rounds = async () => {
    for (let left = Math.floor(roll() * 4); left > 0; left--) await new Promise((next) => setImmediate(next));
  };
  const faults: unknown[] = [];
  const weather = { calm: false };
  const entries: { readonly seq: number; readonly session: SessionId }[] = [];
  const versions = new Map<string, number>();
  const readings = { count: 0 };
  const source: Source = {
    head: async () => entries.at(-1)?.seq ?? 0,
    async read(after, limit, session) {
      readings.count++;
      await rounds();
      if (!weather.calm && roll() < 0.02) throw new Error('the store is busy');
      const head = entries.at(-1)?.seq ?? 0;
      const found = entries.filter((entry) => entry.seq > after && (!session || entry.session === session));
      const frames = found
        .slice(0, limit)
        .map((entry): Frame => ({ ...entry, bytes: serialised('entry', { seq: entry.seq, padding }, entry.seq) }));
      await rounds();
      return { frames, upTo: found.length < limit ? Math.max(after, head) : (frames.at(-1)?.seq ?? after) };
    },
  };
  const [live, news, clock] = [new LiveEvents(), new News(), new FakeClock()];
  const fault = (_: string, error: unknown) => void faults.push(error);
  const toldOf = (subject: Subject): Told => ({
    subject,
    seen: { kind: 'forgotten', process: `${subject.id} ${versions.get(subject.id)}` as ProcessId },
  });
  const broadcast = new Broadcast({ source, live, news, clock, fault });
  const readers: Following[] = [];

  const moves = {
    write: () => {
      for (let left = Math.floor(roll() * 30); left >= 0; left--)
        entries.push({ seq: (entries.at(-1)?.seq ?? 0) + 1 + Math.floor(roll() * 2), session: pick(sessionIds) });
      // Advice may get lost.
      if (roll() < 0.8) news.notify(pick(sessionIds));
    },
    speak: () =>
      live.notify({ session: pick(sessionIds), turn, kind: 'delta', of: 'text', text: pick(['a', 'b', 'c']) }),
    clear: () => live.notify({ session: pick(sessionIds), turn, kind: 'cleared' }),
    change: () => {
      const subject: Subject = { of: 'session', id: pick(sessionIds) };
      versions.set(subject.id, (versions.get(subject.id) ?? 0) + 1);
      broadcast.tell([toldOf(subject)]);
    },
    open: (line = new Line(() => !weather.calm && roll() < 0.1)) => {
      const session = roll() < 0.5 ? undefined : pick(sessionIds);
      const after = Math.floor(roll() * ((entries.at(-1)?.seq ?? 0) + 1));
      const reader = new EventFollower(line, session, after, { broadcast, source, fault });
      readers.push({ line, session, after, versions: new Map(versions), done: reader.follow() });
    },
    leave: () => pick(readers)?.line.over.abort(),
    makeRoom: () => pick(readers)?.line.makeRoom(),
    passTime: () => clock.advance(pick([10, 50, 12_000])),
  };
  /** Over when nobody lacks room or advice any more. */
  const settle = async () => {
    weather.calm = true;
    for (let left = 4; left > 0; left--) {
      for (const { line } of readers) line.makeRoom();
      for (let some = 60; some > 0; some--) await new Promise((next) => setImmediate(next));
      clock.advance(12_000);
    }
  };
  return { roll, pick, rounds, moves, entries, versions, readers, live, faults, settle, broadcast, readings };
}

/** The words that one has on his screen after all he was sent. */
function wordsOf(events: readonly Event[]): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { name, data } of events) {
    if (name !== 'live') continue;
    const event = data as LiveEvent;
    if (event.kind === 'delta') words.set(event.session, (words.get(event.session) ?? '') + event.text);
    if (event.kind === 'words') words.set(event.session, event.text);
    if (event.kind === 'cleared') words.delete(event.session);
  }
  return new Map([...words].filter(([, text]) => text !== ''));
}

describe('one reading for many', () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))(
    'L2 L5 leaves no gap and tells nothing twice, whoever falls behind, comes or goes (%i)',
    async (seed) => {
      const host = world(seed);
      const { open, write, speak, makeRoom, change, clear, leave, passTime } = host.moves;
      const moves = [open, write, write, speak, speak, speak, makeRoom, makeRoom, makeRoom, change, clear, passTime];
      open();
      for (let step = 0; step < 150; step++) {
        (host.roll() < 0.01 ? leave : host.pick(moves))();
        await host.rounds();
      }
      await host.settle();
      const soFar = host.live.soFar().flatMap((event) => (event.kind === 'words' ? [event] : []));
      for (const { line, session, after, versions } of host.readers) {
        if (line.gone.aborted) continue;
        const mine = (of: string) => session === undefined || of === session;
        const { events } = line;
        const told = events.flatMap(({ name, data }) => (name === 'entry' ? [data['seq']] : []));
        const there = host.entries.filter((entry) => entry.seq > after && mine(entry.session));
        expect(told).toEqual(there.map(({ seq }) => seq));
        const words = soFar.flatMap((event) => (mine(event.session) ? [[event.session, event.text] as const] : []));
        expect(wordsOf(events)).toEqual(new Map(words));
        for (const [id, version] of host.versions)
          if (mine(id) && version !== versions.get(id))
            expect(events.findLast(({ data }) => String(data['process']).startsWith(id))?.data).toEqual({
              process: `${id} ${version}`,
            });
        expect(events.findLast(({ name }) => name === 'heartbeat')?.data['head']).toBeDefined();
      }
      for (const { line } of host.readers) line.over.abort();
      await Promise.all(host.readers.map(({ done }) => done));
      expect(host.broadcast.isThere).toBe(false);
    },
  );

  test('L5 disconnects a reader that falls too far behind, and no other', async () => {
    const host = world(3, 'x'.repeat(100_000));
    const stuck = new Line(() => stuck.text.includes('event: entry'));
    const other = new Line(() => false);
    host.moves.open(stuck);
    host.moves.open(other);
    await host.settle();
    for (let count = 0; count < 10 && !stuck.gone.aborted; count++) {
      host.moves.write();
      for (let some = 60; some > 0; some--) await new Promise((next) => setImmediate(next));
      stuck.makeRoom();
    }
    expect(stuck.gone.aborted).toBe(true);
    expect(other.gone.aborted).toBe(false);
    other.over.abort();
  });

  test('L5 reads once for all who keep up', async () => {
    const host = world(7);
    for (let count = 0; count < 100; count++) host.moves.open();
    await host.settle();
    const before = host.readings.count;
    for (let count = 0; count < 10; count++) {
      host.moves.write();
      await host.settle();
    }
    // Each settling casts the net four times.
    expect(host.readings.count - before).toBeLessThan(10 * 10);
    for (const { line } of host.readers) line.over.abort();
  });
});
