import fc from 'fast-check';
import { HostUnreachable, RouseProblem, type OutputEvent } from 'rouse/client/client';
import type { OutputPage } from 'rouse/contract/output';
import { describe, expect, test } from 'vitest';
import { outputFrom, TAIL_BYTES, type Piece, type Reading } from '../../web/src/process/output-source.js';
import { aProcess } from './a-process.js';

const MEGABYTE = 1_048_576;
const PAGE_BYTES = 262_144;

/** What happens at each step, for as long as anything is said; after that all goes well. */
type Step = 'goes on' | 'is cut' | 'is hidden' | 'finds no slot' | 'ends';

/** A host with a process that writes the text piece by piece, and a person who looks and looks away. */
class World {
  at = 0;
  written = 0;
  open = 0;
  mostOpen = 0;
  #gaze = new AbortController();
  readonly #over = new AbortController();

  constructor(
    readonly text: string,
    readonly steps: readonly Step[],
    readonly pageBytes: number,
    /** How much is written at each step. */
    readonly growth = pageBytes,
  ) {}

  #step(): Step {
    const step = this.steps[this.at++] ?? 'ends';
    if (step === 'is hidden') this.#gaze.abort();
    if (step === 'ends') this.written = this.text.length;
    else this.written = Math.min(this.text.length, this.written + this.growth);
    return step;
  }

  #page(offset: number, limit: number): OutputPage {
    const to = Math.min(this.written, offset + limit);
    return { text: this.text.slice(offset, to), from: offset, to, size: this.written, released: 0 };
  }

  async *#follow(offset: number): AsyncGenerator<OutputEvent> {
    for (let at = offset; ;) {
      const step = this.#step();
      if (step === 'is hidden') throw new DOMException('aborted', 'AbortError');
      if (step === 'is cut') throw new HostUnreachable('cut');
      const page = this.#page(at, this.pageBytes);
      if (page.to > at) yield { kind: 'output', page };
      at = Math.max(at, page.to);
      if (step === 'ends' && at === this.text.length) return yield { kind: 'end', process: aProcess('one') };
    }
  }

  reading(): Reading {
    return {
      host: {
        follow: (_, { offset = 0 } = {}) => this.#follow(offset),
        output: (_, { offset = 0, limit = 0 } = {}) =>
          this.#step() === 'is cut'
            ? Promise.reject(new HostUnreachable('cut'))
            : Promise.resolve(this.#page(offset, limit)),
      },
      id: 'proc_one',
      slot: () => Promise.resolve(this.#step() === 'finds no slot' ? undefined : this.#slot()),
      seen: () => {
        if (this.#gaze.signal.aborted) this.#gaze = new AbortController();
        return Promise.resolve(this.#gaze.signal);
      },
      hasEnded: () => this.at >= this.steps.length,
      pause: () => Promise.resolve(),
      signal: this.#over.signal,
    };
  }

  #slot() {
    let held = true;
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    const release = () => {
      if (held) this.open--;
      held = false;
    };
    return { release };
  }
}

async function all(pieces: AsyncGenerator<Piece>): Promise<Piece[]> {
  const told: Piece[] = [];
  for await (const piece of pieces) told.push(piece);
  return told;
}

const textOf = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (piece.kind === 'page' ? piece.page.text : '')).join('');

const someSteps = fc.array(fc.constantFrom<Step>('goes on', 'is cut', 'is hidden', 'finds no slot'), { maxLength: 40 });

describe('the output of a process', () => {
  test('L2 comes once and in order, whatever is cut, hidden or without a slot', () =>
    fc.assert(
      fc.asyncProperty(
        someSteps,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 5 }),
        async (steps, size, from) => {
          const text = 'abcdefghijklmnopqrstuvwxyz'.repeat(2);
          const world = new World(text, steps, size);
          const pieces = await all(outputFrom(from, world.reading()));
          expect(textOf(pieces)).toBe(text.slice(from));
          expect(pieces.at(-1)).toEqual({ kind: 'end' });
          expect(world).toMatchObject({ open: 0 });
          expect(world.mostOpen).toBeLessThanOrEqual(1);
        },
      ),
    ));

  test('L6 needs no slot when the process has ended', async () => {
    const world = new World('all of it', [], 4);
    expect(textOf(await all(outputFrom(0, world.reading())))).toBe('all of it');
    expect(world.mostOpen).toBe(0);
  });

  test.each([
    ['a stream', 'goes on'],
    ['polling', 'finds no slot'],
  ] as const)('goes on near the end when %s is far behind, and says how much is left out', async (_, slot) => {
    const text = 'x'.repeat(20 * MEGABYTE);
    const world = new World(text, [slot, 'goes on', slot], PAGE_BYTES, text.length);
    const pieces = await all(outputFrom(0, world.reading()));
    const [leftOut] = pieces.filter((piece) => piece.kind === 'leftOut');
    expect(textOf(pieces).length + (leftOut?.bytes ?? 0)).toBe(text.length);
    expect(textOf(pieces).length).toBeLessThan(2 * TAIL_BYTES);
  });

  test('ends with the sentence of the host when it is refused', async () => {
    const problem = { type: '/problems/not-found', title: 'x', status: 404, detail: 'There is no such process.' };
    const reading = new World('', [], 1).reading();
    const host = { ...reading.host, output: () => Promise.reject(new RouseProblem(problem)) };
    expect(await all(outputFrom(0, { ...reading, host }))).toEqual([{ kind: 'refused', why: problem.detail }]);
  });
});
