/** One who follows what changes: handed it while he keeps up, reading for himself while he does not. */
import type { SessionId } from '../contract/ids.js';
import { Wakes } from '../runtime/wakes.js';
import type { Broadcast, Follower, Source } from './broadcast.js';
import { serialised, type Batch, type Frame } from './frame.js';
import type { Stream } from './stream.js';

export type ReaderParts = {
  readonly broadcast: Broadcast;
  readonly source: Source;
  readonly fault: (during: string, error: unknown) => void;
};

/** Few at first: what there is no room for was read in vain. */
const FEW = 8;
const MANY = 128;

export class Reader implements Follower {
  readonly #catches: Wakes<'up'>;
  #seq: number;

  constructor(
    readonly line: Pick<Stream, 'gone' | 'isBehind' | 'isFull' | 'write' | 'room'>,
    readonly session: SessionId | undefined,
    after: number,
    readonly parts: ReaderParts,
  ) {
    this.#seq = after;
    this.#catches = new Wakes(
      () => this.#catchUp(),
      (error) => parts.fault('sending events', error),
    );
  }

  get seq(): number {
    return this.#seq;
  }

  /** Over when the reader is gone. */
  async follow(): Promise<void> {
    using _ = this.parts.broadcast.admit(this);
    // Said at once: one who is cut off before the first event must know from where to go on.
    await this.beat();
    this.catchUp();
    await new Promise<void>((gone) => {
      if (this.line.gone.aborted) gone();
      else this.line.gone.addEventListener('abort', () => gone(), { once: true });
    });
    await this.#catches.quiet();
  }

  /** Says that the line is alive, what was sent over it, and what there is. */
  async beat(): Promise<void> {
    const head = await this.parts.source.head();
    const seq = this.#seq;
    this.line.write(serialised('heartbeat', { seq, head: Math.max(seq, head) }, seq));
  }

  take(batch: Batch, upTo = this.#seq): boolean {
    if (this.line.isBehind) return false;
    const bytes = batch.for(this.session, this.#seq);
    if (bytes.length > 0) this.line.write(bytes);
    this.#seq = Math.max(this.#seq, upTo);
    return true;
  }

  catchUp(): void {
    void this.#catches.wake('up');
  }

  async #catchUp(): Promise<void> {
    const { broadcast, source } = this.parts;
    for (let limit = FEW; !this.line.gone.aborted && broadcast.isBehind(this);) {
      await this.line.room();
      const { frames, upTo } = await source.read(this.#seq, limit, this.session);
      const sent = this.#send(frames);
      if (sent === frames.length) this.#seq = Math.max(this.#seq, upTo);
      const hasAll = sent === frames.length && frames.length < limit && !this.line.isBehind;
      if (hasAll && broadcast.join(this)) return this.beat();
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
}
