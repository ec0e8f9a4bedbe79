import { expect, test } from 'vitest';
import type { OutputPage } from '../../src/contract/output.js';
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
  return { tail, read };
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
