import { expect, test } from 'vitest';
import type { OutputPage, OutputQuery } from '../../src/contract/output.js';
import type { Place } from '../../src/ports/place.js';
import { OutputReader } from '../../src/runtime/output/output.js';
import { Places } from '../../src/runtime/output/places.js';
import type { ProcessRecord } from '../../src/ports/store.js';

const NOTHING = { from: 0, to: 0 };

/** An ended process that wrote this, and how much of it is read. */
function written(output: Uint8Array, released = NOTHING) {
  const read = { bytes: 0 };
  const place = {
    name: 'here',
    readOutput: async (_: string, offset: number, length: number) => {
      read.bytes += length;
      return output.subarray(offset, offset + length);
    },
  } as unknown as Place;
  const reader = new OutputReader(new Places([place]), { spans: () => [], redact: (text) => text }, () => undefined);
  const record = {
    id: 'proc_a',
    place: 'here',
    outputBytes: output.length,
    released,
    lifecycle: { kind: 'ended' },
  } as unknown as ProcessRecord;
  const tail = async (lines: number, limit?: number) =>
    (await reader.lastLines(record, lines, limit === undefined ? {} : { limit })) as OutputPage;
  const page = async (query: OutputQuery) => (await reader.page(record, query)) as OutputPage;
  return { tail, page, read };
}

test('P5 the last lines are found from the end, however long the output is', async () => {
  const { tail, read } = written(Buffer.from('one line of many\n'.repeat(4_000_000)));
  expect(await tail(2)).toMatchObject({ text: 'one line of many\n'.repeat(2), to: 68_000_000, from: 67_999_966 });
  expect(read.bytes).toBeLessThan(1_000_000);
});

test.each([
  ['the last line without its newline', 'a\nb\nc', 1, 'c', 4],
  ['the last line with its newline', 'a\nb\nc\n', 1, 'c\n', 4],
  ['two lines', 'a\nb\nc\n', 2, 'b\nc\n', 2],
  ['all lines where there are fewer', 'a\nb\n', 9, 'a\nb\n', 0],
  ['empty lines', 'a\n\n\n', 2, '\n\n', 2],
  ['nothing where there is nothing', '', 3, '', 0],
])('P5 a tail shows %s', async (_, output, lines, text, from) => {
  expect(await written(Buffer.from(output)).tail(lines)).toMatchObject({ text, from, to: output.length });
});

test('P4 P5 a tail that the limit cuts never begins inside a character', async () => {
  const { tail } = written(Buffer.from('äöü'.repeat(10)));
  expect(await tail(1, 7)).toMatchObject({ text: 'äöü', from: 54, to: 60 });
});

test('P17 a tail begins behind what is released', async () => {
  const { tail } = written(Buffer.from('head\nxxxxxxxx\ntail\n'), { from: 5, to: 14 });
  expect(await tail(9)).toMatchObject({ text: 'tail\n', from: 14, released: 0 });
});

test('P17 a page by bytes ends before the gap or begins with it, and says where it is', async () => {
  const { page } = written(Buffer.from('head\nxxxxxxxx\ntail\n'), { from: 5, to: 14 });
  const head = await page({ offset: 2 });
  expect(head).toMatchObject({ text: 'ad\n', from: 2, to: 5, released: 0 });
  expect(head).not.toHaveProperty('gap');
  const behind = { text: 'tail\n', to: 19, gap: { to: 14 } };
  expect(await page({ offset: 5 })).toMatchObject({ ...behind, from: 5, released: 9, gap: { from: 5 } });
  expect(await page({ offset: 8 })).toMatchObject({ ...behind, from: 8, released: 6, gap: { from: 8 } });
  expect(await page({ offset: 14 })).not.toHaveProperty('gap');
});

test('P17 the gap ends a line, and reading on by lines reaches the end', async () => {
  const { page } = written(Buffer.from('one\ntwxxxxxxxxo\nthree\n'), { from: 6, to: 14 });
  const shown: unknown[] = [];
  for (let line = 0; line < 4;) {
    const { text, released, lines = 0, totalLines } = await page({ line, lines: 9 });
    shown.push({ line, text, released, totalLines });
    line += lines;
  }
  expect(shown).toEqual([
    { line: 0, text: 'one\ntw', released: 0, totalLines: 4 },
    { line: 2, text: 'o\nthree\n', released: 8, totalLines: 4 },
  ]);
});
