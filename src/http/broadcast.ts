/**
 * One reading for all who are up to date.
 *
 *      store ──▶ read once, serialised once ──▶ everybody who is up to date
 *        │                                         │        ▲
 *        └──▶ read by one who is behind ◀── no room┘        └── join: has all that was handed out before
 *
 *   1. Whoever is up to date has everything up to our number, and is handed what comes behind it: no gap, nothing twice.
 *   2. One who has no room is handed nothing more: he keeps his number, and we the names of what else he missed.
 *   3. Words are told before the entries that they become; those of a moment are told together.
 */
import { roundOver, type Alarm, type Clock } from '../ports/clock.js';
import type { LiveEvent } from '../contract/event.js';
import type { SessionId, TurnId } from '../contract/ids.js';
import { LiveBatch, type LiveEvents } from '../runtime/session/live-events.js';
import type { News } from '../runtime/listeners.js';
import type { Audience, Subject, Told } from '../runtime/people/overview.js';
import { Wakes } from '../runtime/wakes.js';
import { Batch, batches, serialised, type Frame } from './frame.js';

/** Everything that has a number, as it is sent. */
export type Source = {
  /** At most `limit` frames behind a number, and up to which number these are all. */
  read(
    after: number,
    limit: number,
    session?: SessionId,
  ): Promise<{ readonly frames: readonly Frame[]; readonly upTo: number }>;
  head(): Promise<number>;
};

export interface Follower {
  readonly session: SessionId | undefined;
  /** He has everything up to here. */
  readonly seq: number;
  /** False when there is no room: then nothing was taken. */
  take(batch: Batch, upTo?: number): boolean;
  /** Reads for himself until he can join. */
  catchUp(): void;
}

export type BroadcastParts = {
  readonly source: Source;
  readonly live: LiveEvents;
  readonly news: News;
  readonly clock: Clock;
  readonly fault: (during: string, error: unknown) => void;
};

/** What is not in the journal: only its name is kept. */
type Missed = { readonly words: Map<SessionId, TurnId>; readonly subjects: Map<string, Subject> };

const AT_ONCE = 100;
const BATCH_BYTES = 65_536;
/** Shorter is not seen by anybody, and each costs a write to every reader. */
const MOMENT_MS = 30;
/** The net under the news. */
const LOOK_AGAIN_MS = 10_000;

export class Broadcast implements Audience<Follower>, Disposable {
  readonly #upToDate = new Set<Follower>();
  readonly #behind = new Map<Follower, Missed>();
  readonly #reads: Wakes<'all'>;
  readonly #listening: readonly Disposable[];
  readonly #moment = new LiveBatch();
  #momentOver: Alarm | undefined;
  #net: Alarm | undefined;
  #seq = 0;

  constructor(
    readonly parts: BroadcastParts,
    readonly wish: (follower: Follower, subjects: Iterable<Subject>) => void,
  ) {
    const { news, live, fault } = parts;
    this.#reads = new Wakes(
      () => this.#read(),
      (error) => fault('sending events', error),
    );
    this.#listening = [news.listen(() => this.#look()), live.listen((event) => this.#hear(event))];
    this.#castNet();
  }

  get isThere(): boolean {
    return this.#upToDate.size + this.#behind.size > 0;
  }

  admit(follower: Follower): Disposable {
    this.#behind.set(follower, { words: new Map(), subjects: new Map() });
    return {
      [Symbol.dispose]: () => {
        this.#upToDate.delete(follower);
        this.#behind.delete(follower);
      },
    };
  }

  isBehind(follower: Follower): boolean {
    return this.#behind.has(follower);
  }

  /** False when something was handed out that he does not have. */
  join(follower: Follower): boolean {
    const missed = this.#behind.get(follower);
    if (!missed) return true;
    if (this.#upToDate.size === 0) this.#seq = follower.seq;
    if (follower.seq < this.#seq) return false;
    // What was said so far holds the words of this moment already.
    this.#sayMoment();
    this.#behind.delete(follower);
    this.#upToDate.add(follower);
    follower.take(new Batch(this.#wordsSoFar(missed).map(liveFrame)));
    this.wish(follower, missed.subjects.values());
    this.#look();
    return true;
  }

  tell(told: readonly Told<Follower>[]): void {
    const frameOf = ({ subject, seen: { kind, ...body } }: Told<Follower>): Frame => ({
      session: ownerOf(subject),
      bytes: serialised(kind, body),
    });
    const forAll = told.filter(({ to }) => to === 'all');
    this.#hand(new Batch(forAll.map(frameOf)));
    const alone = new Map<Follower, Told<Follower>[]>();
    for (const one of told)
      if (one.to !== 'all') for (const follower of one.to) alone.set(follower, [...(alone.get(follower) ?? []), one]);
    for (const [follower, his] of alone) {
      if (this.#upToDate.has(follower)) this.#handTo(follower, new Batch(his.map(frameOf)));
      this.#miss(follower, his);
    }
    for (const follower of this.#behind.keys()) this.#miss(follower, forAll);
  }

  [Symbol.dispose](): void {
    this.#momentOver?.clear();
    this.#net?.clear();
    for (const listening of this.#listening) listening[Symbol.dispose]();
  }

  #look(): void {
    if (this.#upToDate.size > 0) void this.#reads.wake('all');
  }

  #castNet(): void {
    this.#net = this.parts.clock.alarm(LOOK_AGAIN_MS, () => {
      this.#look();
      for (const follower of this.#behind.keys()) follower.catchUp();
      this.#castNet();
    });
  }

  async #read(): Promise<void> {
    for (let more = true; more && this.#upToDate.size > 0;) {
      const { frames, upTo } = await this.parts.source.read(this.#seq, AT_ONCE);
      this.#sayMoment();
      for (const batch of batches(frames, BATCH_BYTES)) {
        this.#hand(batch, batch.frames.at(-1)?.seq);
        // Only then is it known who has room for more.
        await roundOver();
      }
      this.#hand(new Batch([]), upTo);
      more = frames.length === AT_ONCE;
    }
  }

  /** What is handed out and what our number says of it is one: nobody can join in between. */
  #hand(batch: Batch, upTo = this.#seq): void {
    this.#seq = Math.max(this.#seq, upTo);
    for (const follower of this.#upToDate) this.#handTo(follower, batch, upTo);
  }

  #handTo(follower: Follower, batch: Batch, upTo?: number): void {
    if (follower.take(batch, upTo)) return;
    this.#upToDate.delete(follower);
    this.#behind.set(follower, { words: new Map(), subjects: new Map() });
    follower.catchUp();
  }

  #hear(event: LiveEvent): void {
    if (!this.isThere) return;
    this.#moment.add(event);
    if (!this.#momentOver) this.#speak();
  }

  /** The first word after a quiet is told at once, those behind it together. */
  #speak(): void {
    this.#momentOver = this.#sayMoment() ? this.parts.clock.alarm(MOMENT_MS, () => this.#speak()) : undefined;
  }

  /** Whether there was anything to say. */
  #sayMoment(): boolean {
    const events = this.#moment.take();
    if (events.length === 0) return false;
    this.#hand(new Batch(events.map(liveFrame)));
    for (const { words } of this.#behind.values()) for (const { session, turn } of events) words.set(session, turn);
    return true;
  }

  #miss(follower: Follower, told: readonly Told<Follower>[]): void {
    const { session } = follower;
    const subjects = this.#behind.get(follower)?.subjects;
    for (const { subject } of told)
      if (session === undefined || ownerOf(subject) === session) subjects?.set(subject.id, subject);
  }

  /** Also that there are none any more, where he may have seen some. */
  #wordsSoFar({ words }: Missed): readonly LiveEvent[] {
    const soFar = this.parts.live.soFar();
    const speaking = new Set(soFar.map(({ session }) => session));
    const over = [...words].filter(([session]) => !speaking.has(session));
    return [
      ...soFar,
      ...over.map(([session, turn]) => ({ session, turn, kind: 'words', text: '', reasoning: '' }) as const),
    ];
  }
}

const liveFrame = (event: LiveEvent): Frame => ({ session: event.session, bytes: serialised('live', event) });

const ownerOf = (subject: Subject): SessionId | undefined => (subject.of === 'session' ? subject.id : subject.session);
