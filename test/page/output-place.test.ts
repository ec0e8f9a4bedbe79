import { describe, expect, test } from 'vitest';
import { parts } from '../../web/src/process/match-parts.js';
import { around, before, behind, END } from '../../web/src/process/output-place.js';

const MEGABYTE = 1_048_576;

describe('a walk through a long output', () => {
  test('goes back stretch by stretch to the first byte, with no gap and nothing twice', () => {
    const stretches: [number, number][] = [];
    for (let from = 2.5 * MEGABYTE; from > 0;) {
      const place = before(from);
      if (place.kind === 'end') throw new Error('there is more before it');
      stretches.push([place.from, place.to]);
      from = place.from;
    }
    expect(stretches).toEqual([
      [1.5 * MEGABYTE, 2.5 * MEGABYTE],
      [0.5 * MEGABYTE, 1.5 * MEGABYTE],
      [0, 0.5 * MEGABYTE],
    ]);
  });

  test('comes back to the end as it grows', () => {
    expect(behind(MEGABYTE, 5 * MEGABYTE)).toMatchObject({ from: MEGABYTE, to: 2 * MEGABYTE, at: 'top' });
    expect(behind(4 * MEGABYTE, 5 * MEGABYTE)).toEqual(END);
  });

  test('shows a match with what stands around it', () => {
    const { from, to, at } = { from: 0, to: 0, at: 'top', ...around(10, 'ERROR') };
    expect({ from, at }).toEqual({ from: 0, at: { offset: 10, text: 'ERROR' } });
    expect(to).toBeGreaterThan(10);
  });
});

describe('a line that was found', () => {
  const marked = (line: string, asked: string) => parts(line, asked).map(({ text, hit }) => (hit ? `[${text}]` : text));

  test.each([
    ['an Error and an ERROR', 'error', 'an [Error] and an [ERROR]'],
    ['aaaa', 'aa', '[aa][aa]'],
    ['<b>', '<b', '[<b]>'],
    ['nothing', 'x', 'nothing'],
    ['nothing', '', 'nothing'],
  ])('marks in %j every %j', (line, asked, shown) => {
    expect(marked(line, asked).join('')).toBe(shown);
  });

  test('loses no letter, though some grow in lower case', () => {
    expect(
      parts('İx error', 'ERROR')
        .map(({ text }) => text)
        .join(''),
    ).toBe('İx error');
  });
});
