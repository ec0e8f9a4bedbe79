/**
 * Reading the output of a process, whatever becomes of the host meanwhile.
 *
 *   pages up to now ──caught up──▶ live ──line cut──▶ wait for a host ──▶ pages from where we were ──▶ …
 *
 *   1. Every byte is told once, in order; the offset is ours, not the connection's.
 *   2. Pages come first, also after a cut: only a page can tell how many bytes are gone because of the quota.
 *   3. What is said to be gone is said at the very point at which it is missing.
 */
import type { Line } from '../host/line.js';

/** A piece of output, and how many bytes are gone before it. */
export type Piece = { readonly content: string | Uint8Array; readonly released: number };

export type Reading = {
  readonly id: string;
  readonly offset: number;
  readonly plain?: boolean;
  /** Reads for the session that owns the process: a page that reaches the end shows it that end. */
  readonly session?: string | undefined;
  readonly signal: AbortSignal;
};

type Extent = { readonly to: number; readonly size: number };

const PAGE_BYTES = 262_144;

/** The text from the offset up to what there is now, secrets redacted. */
export async function* textNow(line: Line, { id, offset, plain = false, session }: Reading): AsyncGenerator<Piece> {
  const ask = async (offset: number, limit: number) =>
    session === undefined
      ? line.client.output(id, { offset, limit, plain })
      : (await line.client.log(id, session, { offset, limit, plain })).output;
  for await (const { text, released } of pages(ask, offset)) yield { content: text, released };
}

/** The bytes from the offset up to what there is now. */
export async function* bytesNow(line: Line, { id, offset }: Reading): AsyncGenerator<Piece> {
  const ask = (offset: number, limit: number) => line.client.bytes(id, offset, limit);
  for await (const { bytes, released } of pages(ask, offset)) yield { content: bytes, released };
}

/** The text from the offset up to the end of the process. */
export async function* followText(line: Line, { id, offset, plain = false, signal }: Reading): AsyncGenerator<Piece> {
  const ask = (offset: number, limit: number) => line.client.output(id, { offset, limit, plain });
  for (let at = offset; !signal.aborted;) {
    try {
      for await (const page of pages(ask, at)) {
        yield { content: page.text, released: page.released };
        at = page.to;
      }
      for await (const event of line.client.follow(id, { offset: at, plain, signal })) {
        if (event.kind === 'end') return;
        if (event.kind === 'refused') throw new Error(event.why);
        // It does not begin where the last one ended: what is between is had by going back.
        if (event.page.from > at) break;
        yield { content: event.page.text, released: event.page.released };
        at = event.page.to;
      }
    } catch (error) {
      if (!signal.aborted) await line.restore(error);
    }
  }
}

/** The bytes from the offset up to the end of the process. */
export async function* followBytes(line: Line, { id, offset, signal }: Reading): AsyncGenerator<Piece> {
  const ask = (offset: number, limit: number) => line.client.bytes(id, offset, limit);
  for (let at = offset; !signal.aborted;) {
    try {
      // Asked before reading: what is read after the end was seen is all there will be.
      const { process } = await line.client.process(id);
      for await (const page of pages(ask, at)) {
        yield { content: page.bytes, released: page.released };
        at = page.to;
      }
      if (process.state === 'ended') return;
      for await (const chunk of line.client.followBytes(id, at, signal)) {
        at += chunk.length;
        yield { content: chunk, released: 0 };
      }
    } catch (error) {
      if (!signal.aborted) await line.restore(error);
    }
  }
}

/** Pages up to the size that the first one reports. */
async function* pages<Page extends Extent>(
  ask: (offset: number, limit: number) => Promise<Page>,
  offset: number,
): AsyncGenerator<Page> {
  for (let at = offset, end = Infinity; at < end;) {
    const page = await ask(at, PAGE_BYTES);
    if (page.to <= at) return;
    yield page;
    at = page.to;
    end = Math.min(end, page.size);
  }
}
