/**
 * One log of what changes, shared by all readers.
 *
 *   store ──read and serialised once──▶ │ batch │ batch │ batch │ batch │ ◀── words, processes, sessions
 *     │                                         ▲               ▲
 *     └──▶ a new reader catches up,        slow reader     all others
 *          then joins at the end
 *
 *   1. A reader has everything up to its number and gets what follows in order: no gap, nothing twice.
 *   2. A reader without room keeps its place. When its place is dropped from the log it is disconnected and can resume
 *      from its number.
 *   3. Words come before the entries that they become; words that come within a moment are sent together.
 */
import type { LiveEvent } from '../contract/event.js';
import type { SessionId } from '../contract/ids.js';
import type { Clock } from '../ports/clock.js';
import { Alarms } from '../runtime/alarms.js';
import type { News } from '../runtime/listeners.js';
import type { Audience, Subject, Told } from '../runtime/people/overview.js';
import { LiveBatch, type LiveEvents } from '../runtime/session/live-events.js';
import { Drains } from '../runtime/drains.js';

/** An event as it goes over the wire. */
export type Frame = {
  /** Its owner; a frame without one goes to readers of all sessions. */
  readonly session?: SessionId | undefined;
  /** Only entries and notices have a number. */
  readonly seq?: number;
  readonly isWords?: true;
  readonly bytes: Uint8Array;
};

export const serialised = (name: string, data: unknown, id?: number): Uint8Array =>
  Buffer.from(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);

/** Everything that has a number, as it is sent. */
export type Source = {
  /** At most `limit` frames after a number, and up to which number these are all. */
  read(
    after: number,
    limit: number,
    session?: SessionId,
  ): Promise<{ readonly frames: readonly Frame[]; readonly upTo: number }>;
  head(): Promise<number>;
};

/** Frames that are sent together, and their bytes. A reader that has them has everything up to the number `upTo`. */
export type Batch = { readonly frames: readonly Frame[]; readonly bytes: Uint8Array; readonly upTo: number };

export interface Follower {
  /** It has everything up to here. */
  readonly seq: number;
  /** There is more in the log. */
  advance(): void;
  /** Tries again to catch up, unless it has joined. */
  catchUp(): void;
}

export type BroadcastParts = {
  readonly source: Source;
  readonly live: LiveEvents;
  readonly news: News;
  readonly clock: Clock;
  readonly fault: (during: string, error: unknown) => void;
};

const FRAMES_AT_ONCE = 100;
const BATCH_BYTES = 65_536;
const LOG_BYTES = 4 * 1_048_576;
/** A shorter moment is not visible, and each costs a write to every reader. */
const MOMENT_MS = 30;
/** News can get lost. */
const LOOK_AGAIN_MS = 10_000;

export class Broadcast implements Audience, Disposable {
  readonly #readers = new Set<Follower>();
  #log: Batch[] = [];
  #logBytes = 0;
  /** How many batches were dropped from the beginning of the log. */
  #dropped = 0;
  /** Up to which number everything is in the log or before it; undefined until a reader has joined. */
  #seq: number | undefined;
  readonly #words = new LiveBatch();
  readonly #reads: Drains<'all'>;
  readonly #alarms: Alarms<'moment' | 'look'>;
  readonly #listening: readonly Disposable[];

  constructor(readonly parts: BroadcastParts) {
    const { news, live, clock, fault } = parts;
    this.#reads = new Drains(
      () => this.#read(),
      (error) => fault('sending events', error),
    );
    this.#alarms = new Alarms(clock);
    this.#listening = [news.listen(() => this.#look()), live.listen((event) => this.#hear(event))];
    this.#lookRegularly();
  }

  get isThere(): boolean {
    return this.#readers.size > 0;
  }

  /** The place behind the last batch. */
  get end(): number {
    return this.#dropped + this.#log.length;
  }

  /** Undefined when it was dropped. */
  batch(place: number): Batch | undefined {
    return this.#log[place - this.#dropped];
  }

  admit(reader: Follower): Disposable {
    this.#readers.add(reader);
    return {
      [Symbol.dispose]: () => {
        this.#readers.delete(reader);
        if (!this.isThere) this.#clear();
      },
    };
  }

  /** The words so far, for a reader that has everything else up to the end of the log. Undefined when it lacks some. */
  join({ seq }: Follower): readonly Frame[] | undefined {
    this.#seq ??= seq;
    if (seq < this.#seq) return undefined;
    // The words so far include those of this moment.
    this.#sendWords();
    this.#look();
    return this.parts.live.soFar().map(wordsFrame);
  }

  tell(told: readonly Told[]): void {
    this.#append(
      told.map(({ subject, seen: { kind, ...body } }) => ({
        session: ownerOf(subject),
        bytes: serialised(kind, body),
      })),
    );
  }

  [Symbol.dispose](): void {
    this.#alarms.stop();
    for (const listening of this.#listening) listening[Symbol.dispose]();
  }

  #look(): void {
    if (this.#seq !== undefined) void this.#reads.wake('all');
  }

  #lookRegularly(): void {
    this.#alarms.set('look', LOOK_AGAIN_MS, () => {
      this.#look();
      for (const reader of this.#readers) reader.catchUp();
      this.#lookRegularly();
    });
  }

  async #read(): Promise<void> {
    for (let more = true; more && this.#seq !== undefined;) {
      const { frames, upTo } = await this.parts.source.read(this.#seq, FRAMES_AT_ONCE);
      this.#sendWords();
      for (const piece of pieces(frames)) this.#append(piece, piece.at(-1)?.seq);
      this.#append([], upTo);
      more = frames.length === FRAMES_AT_ONCE;
    }
  }

  #append(frames: readonly Frame[], upTo = 0): void {
    if (!this.isThere || (frames.length === 0 && upTo <= (this.#seq ?? upTo))) return;
    if (this.#seq !== undefined) this.#seq = Math.max(this.#seq, upTo);
    const bytes = joined(frames);
    this.#log.push({ frames, bytes, upTo: this.#seq ?? 0 });
    for (this.#logBytes += bytes.length; this.#logBytes > LOG_BYTES && this.#log.length > 1; this.#dropped++)
      this.#logBytes -= this.#log.shift()?.bytes.length ?? 0;
    for (const reader of this.#readers) reader.advance();
  }

  #clear(): void {
    this.#dropped = this.end;
    this.#log = [];
    this.#logBytes = 0;
    this.#seq = undefined;
  }

  #hear(event: LiveEvent): void {
    if (!this.isThere) return;
    this.#words.add(event);
    if (!this.#alarms.has('moment')) this.#speak();
  }

  /** The first word after a pause is sent at once, those after it together. */
  #speak(): void {
    if (this.#sendWords()) this.#alarms.set('moment', MOMENT_MS, () => this.#speak());
  }

  /** Whether there were any. */
  #sendWords(): boolean {
    const events = this.#words.take();
    this.#append(events.map(wordsFrame));
    return events.length > 0;
  }
}

/** A single frame is not copied. */
export const joined = (frames: readonly Frame[]): Uint8Array =>
  frames.length === 1 && frames[0] ? frames[0].bytes : Buffer.concat(frames.map(({ bytes }) => bytes));

/** A large frame goes alone. */
function* pieces(frames: readonly Frame[]): Generator<readonly Frame[]> {
  let [piece, size]: [Frame[], number] = [[], 0];
  for (const frame of frames) {
    if (size > 0 && size + frame.bytes.length > BATCH_BYTES) {
      yield piece;
      [piece, size] = [[], 0];
    }
    piece.push(frame);
    size += frame.bytes.length;
  }
  if (size > 0) yield piece;
}

const wordsFrame = (event: LiveEvent): Frame => ({
  session: event.session,
  isWords: true,
  bytes: serialised('live', event),
});

const ownerOf = (subject: Subject): SessionId | undefined => (subject.of === 'session' ? subject.id : subject.session);
