/** Events as they go over the wire, serialised once for all who are sent them. */
import type { SessionId } from '../contract/ids.js';

export type Frame = {
  /** Whose it is; what is nobody's goes to those who asked for everything. */
  readonly session?: SessionId | undefined;
  /** Only what is remembered has one. */
  readonly seq?: number;
  readonly bytes: Uint8Array;
};

export const serialised = (name: string, data: unknown, id?: number): Uint8Array =>
  Buffer.from(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);

/** Frames that go out together: those who are sent the same share the bytes. */
export class Batch {
  readonly #made = new Map<string, Uint8Array>();

  constructor(readonly frames: readonly Frame[]) {}

  /** For a reader of one session, or of all, who has everything up to a number; empty when there is nothing for him. */
  for(session: SessionId | undefined, after: number): Uint8Array {
    const key = `${session ?? 'all'} ${after}`;
    const known = this.#made.get(key);
    if (known) return known;
    const his = this.frames.filter(
      (frame) => (session === undefined || frame.session === session) && (frame.seq ?? Infinity) > after,
    );
    const bytes = Buffer.concat(his.map((frame) => frame.bytes));
    this.#made.set(key, bytes);
    return bytes;
  }
}

/** As much as is handed over at once: a large frame goes alone. */
export function* batches(frames: readonly Frame[], mostBytes: number): Generator<Batch> {
  let piece: Frame[] = [];
  let length = 0;
  for (const frame of frames) {
    if (length > 0 && length + frame.bytes.length > mostBytes) {
      yield new Batch(piece);
      [piece, length] = [[], 0];
    }
    piece.push(frame);
    length += frame.bytes.length;
  }
  if (length > 0) yield new Batch(piece);
}
