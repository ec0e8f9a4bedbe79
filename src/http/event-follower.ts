/** One reader of what changes: catches up from the store, then follows the shared log. */
import type { SessionId } from '../contract/ids.js';
import { Drains } from '../runtime/drains.js';
import { joined, serialised, type Batch, type Broadcast, type Follower, type Frame, type Source } from './broadcast.js';
import type { Stream } from './stream.js';

export type FollowerParts = {
  readonly broadcast: Broadcast;
  readonly source: Source;
  readonly fault: (during: string, error: unknown) => void;
};

/** Few at first: frames without room were read in vain. */
const FEW = 8;
const MANY = 128;

export class EventFollower implements Follower {
  readonly #catches: Drains<'up'>;
  #seq: number;
  /** In the log. */
  #place: number;
  #hasJoined = false;
  #isWaiting = false;

  constructor(
    readonly line: Pick<Stream, 'gone' | 'isBehind' | 'isFull' | 'write' | 'room' | 'drop'>,
    readonly session: SessionId | undefined,
    after: number,
    readonly parts: FollowerParts,
  ) {
    this.#seq = after;
    this.#place = parts.broadcast.end;
    this.#catches = new Drains(
      () => this.#catchUp(),
      (error) => parts.fault('sending events', error),
    );
  }

  get seq(): number {
    return this.#seq;
  }

  /** Returns when the reader is gone. */
  async follow(): Promise<void> {
    using _ = this.parts.broadcast.admit(this);
    // At once: a reader that is cut off before the first event must know from where to resume.
    await this.beat();
    this.catchUp();
    await new Promise<void>((gone) => {
      if (this.line.gone.aborted) gone();
      else this.line.gone.addEventListener('abort', () => gone(), { once: true });
    });
    await this.#catches.quiet();
  }

  /** Reports that the connection is alive, what was sent over it, and what there is. */
  async beat(): Promise<void> {
    const head = await this.parts.source.head();
    const seq = this.#seq;
    this.line.write(serialised('heartbeat', { seq, head: Math.max(seq, head) }, seq));
  }

  catchUp(): void {
    void this.#catches.wake('up');
  }

  advance(): void {
    const { line, parts } = this;
    while (this.#hasJoined && !line.gone.aborted && this.#place < parts.broadcast.end) {
      if (line.isBehind) return this.#waitForRoom();
      const batch = parts.broadcast.batch(this.#place++);
      if (!batch) return line.drop();
      this.#write(
        batch.frames.filter(({ seq = Infinity }) => seq > this.#seq),
        batch,
      );
      this.#seq = Math.max(this.#seq, batch.upTo);
    }
  }

  #waitForRoom(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.line.room().then(() => {
      this.#isWaiting = false;
      this.advance();
    });
  }

  async #catchUp(): Promise<void> {
    for (let limit = FEW; !this.line.gone.aborted && !this.#hasJoined;) {
      await this.line.room();
      const { frames, upTo } = await this.parts.source.read(this.#seq, limit, this.session);
      const sent = this.#send(frames);
      if (sent === frames.length) this.#seq = Math.max(this.#seq, upTo);
      const hasAll = sent === frames.length && frames.length < limit && !this.line.isBehind;
      if (hasAll && this.#join()) return this.beat();
      limit = Math.min(MANY, Math.max(1, 2 * sent));
    }
  }

  /** How many there was room for. */
  #send(frames: readonly Frame[]): number {
    for (const [index, { seq = 0, bytes }] of frames.entries()) {
      if (this.line.isFull) return index;
      this.line.write(bytes);
      this.#seq = seq;
    }
    return frames.length;
  }

  /** False when the log has something that it lacks. Of what was sent to others meanwhile, it still needs the states. */
  #join(): boolean {
    const { broadcast } = this.parts;
    const words = broadcast.join(this);
    if (!words) return false;
    for (; this.#place < broadcast.end; this.#place++) {
      const batch = broadcast.batch(this.#place);
      if (!batch) this.line.drop();
      else this.#write(batch.frames.filter(({ seq, isWords }) => seq === undefined && !isWords));
    }
    this.#write(words);
    this.#hasJoined = true;
    return true;
  }

  /** Readers that are sent all of a batch share its bytes. */
  #write(frames: readonly Frame[], batch?: Batch): void {
    const own = frames.filter(({ session }) => this.session === undefined || session === this.session);
    if (own.length > 0) this.line.write(batch?.frames.length === own.length ? batch.bytes : joined(own));
  }
}
