/**
 * The output of a process from an offset on, for as long as somebody looks.
 *
 *   seen ──▶ has it ended? ──yes──▶ read page by page ──▶ end
 *    ▲            └──no──▶ a slot? ──yes──▶ stream ──cut, hidden or far behind──┐
 *    │                        └──no──▶ read what is new, wait a second ─────────┤
 *    └──────────────────────────────────────────────────────────────────────────┘
 *
 *   1. Every byte arrives once and in order, whatever was cut: each way continues where the last one stopped.
 *   2. Nothing is read while the output is hidden, nor faster than it is shown: the next page is requested when the last
 *      one was consumed.
 *   3. A reader that is far behind sees how much is left out and continues near the end, instead of watching a hundred
 *      megabytes fly past.
 */
import { RouseProblem, type RouseClient } from 'rouse/client/client';
import type { OutputPage } from 'rouse/contract/output';
import type { Slot } from './output-slot';

export type Piece =
  | { readonly kind: 'page'; readonly page: OutputPage }
  | { readonly kind: 'leftOut'; readonly bytes: number }
  /** How it comes from here on. */
  | { readonly kind: 'way'; readonly way: 'streamed' | 'polled' | 'cut' }
  | { readonly kind: 'end' }
  | { readonly kind: 'refused'; readonly why: string };

export type Reading = {
  readonly host: Pick<RouseClient, 'follow' | 'output'>;
  readonly id: string;
  readonly slot: () => Promise<Slot | undefined>;
  /** Over when the page is seen. The signal is aborted when it is not any more, or when the line was cut. */
  readonly seen: () => Promise<AbortSignal>;
  readonly hasEnded: () => boolean;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
};

export const TAIL_BYTES = 1_048_576;
const FAR_BYTES = 8 * TAIL_BYTES;
const PAGE_BYTES = 262_144;
const LOOK_AGAIN_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

export async function* outputFrom(offset: number, reading: Reading): AsyncGenerator<Piece> {
  let at = offset;
  let failures = 0;
  while (!reading.signal.aborted) {
    const gaze = AbortSignal.any([await reading.seen(), reading.signal]);
    if (gaze.aborted) continue;
    // Asked before reading: what is read after the end was seen is all there will be.
    const ended = reading.hasEnded();
    const slot = ended ? undefined : await reading.slot();
    try {
      for await (const piece of slot ? streamed(at, reading, gaze) : polled(at, reading, ended)) {
        yield piece;
        if (piece.kind === 'end' || piece.kind === 'refused') return;
        if (piece.kind === 'way') continue;
        at = piece.kind === 'page' ? Math.max(at, piece.page.to) : at + piece.bytes;
        failures = 0;
      }
      if (!slot) await reading.pause(LOOK_AGAIN_MS, gaze);
    } catch (error) {
      if (gaze.aborted) continue;
      if (!isPassing(error)) return yield { kind: 'refused', why: (error as Error).message };
      yield { kind: 'way', way: 'cut' };
      slot?.release();
      await reading.pause(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures++), gaze);
    } finally {
      slot?.release();
    }
  }
}

async function* streamed(offset: number, { host, id }: Reading, signal: AbortSignal): AsyncGenerator<Piece> {
  let way: 'streamed' | 'cut' = 'streamed';
  yield { kind: 'way', way };
  for await (const event of host.follow(id, { offset, signal })) {
    if (event.kind === 'end') return yield { kind: 'end' };
    if (event.kind === 'refused') return yield { kind: 'refused', why: event.why };
    if ((event.kind === 'cut') !== (way === 'cut'))
      yield { kind: 'way', way: (way = event.kind === 'cut' ? 'cut' : 'streamed') };
    if (event.kind === 'cut') continue;
    yield { kind: 'page', page: event.page };
    const left = tooFar(event.page);
    if (left > 0) return yield { kind: 'leftOut', bytes: left };
  }
}

async function* polled(offset: number, { host, id }: Reading, ended: boolean): AsyncGenerator<Piece> {
  if (!ended) yield { kind: 'way', way: 'polled' };
  for (let at = offset; ;) {
    const page = await host.output(id, { offset: at, limit: PAGE_BYTES });
    if (page.to > at) yield { kind: 'page', page };
    const left = tooFar(page);
    if (left > 0) yield { kind: 'leftOut', bytes: left };
    const before = at;
    at = Math.max(at, page.to) + left;
    if (at > before && at < page.size) continue;
    if (ended) yield { kind: 'end' };
    return;
  }
}

const tooFar = ({ to, size }: OutputPage): number => (size - to > FAR_BYTES ? size - TAIL_BYTES - to : 0);

/** Whether it may be otherwise when one asks again. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof RouseProblem) || error.problem.status >= 500 || error.problem.status === 401;
