import { expect, test } from 'vitest';
import { JsonSize } from '../../src/http/json-size.js';

const measured = (text: string) => new JsonSize().add(Buffer.from(text));

test.each([
  ['32 levels', '['.repeat(32) + ']'.repeat(32), undefined],
  ['33 levels', '['.repeat(33), 'levels'],
  ['33 levels of objects and lists in turn', '{"a":['.repeat(17), 'levels'],
  ['many levels one after the other', '[[[]]],'.repeat(1_000), undefined],
  ['brackets in a string', `"${'['.repeat(99)}"`, undefined],
  ['brackets behind an escaped quote in a string', String.raw`"\"${'['.repeat(99)}"`, undefined],
  ['brackets behind a string that ends in a backslash', String.raw`"\\"${'['.repeat(33)}`, 'levels'],
  ['20,000 values', `[${'0,'.repeat(19_999)}0]`, undefined],
  ['20,001 values', `[${'0,'.repeat(20_000)}0]`, 'values'],
  ['commas in a string', `"${','.repeat(50_000)}"`, undefined],
])('%s', (_, text, tooMuch) => {
  expect(measured(text)).toBe(tooMuch);
});

test('pieces count as one text, wherever they are cut', () => {
  const text = Buffer.from(String.raw`["\"[[", {"a": [1, "]"]}` + '['.repeat(31));
  for (let cut = 0; cut <= text.length; cut++) {
    const size = new JsonSize();
    expect(size.add(text.subarray(0, cut)) ?? size.add(text.subarray(cut))).toBe(undefined);
    expect(size.add(Buffer.from('['))).toBe('levels');
  }
});
