import { describe, expect, test } from 'vitest';
import { ReaderAtEnd } from '../../web/src/conversation/reader-at-end.js';

const VIEW = 500;

/** The heights of the text and the places of the reader, one after the other. */
const after = (...steps: readonly (readonly [height: number, top: number])[]): boolean => {
  const reader = new ReaderAtEnd();
  for (const [scrollHeight, scrollTop] of steps)
    reader.scrolled({ scrollHeight, scrollTop, clientHeight: VIEW } as Element);
  return reader.is;
};

describe('the reader', () => {
  test('L4 is at the end until he goes up', () => {
    expect(after([1_000, 500])).toBe(true);
    expect(after([1_000, 500], [1_000, 495])).toBe(false);
  });

  test('L4 is not taken away from the end by what grows there', () => {
    expect(after([1_000, 500], [1_400, 500])).toBe(true);
    expect(after([1_000, 500], [1_400, 700])).toBe(true);
  });

  test('L4 who went up stays up while things grow', () => {
    expect(after([1_000, 500], [1_000, 300], [2_000, 300])).toBe(false);
  });

  test('is at the end again when he comes near to it from above', () => {
    expect(after([1_000, 500], [1_000, 300], [1_000, 480])).toBe(true);
    expect(after([1_000, 500], [1_000, 300], [1_000, 400])).toBe(false);
  });

  test('stays at the end of a text that shrinks', () => {
    expect(after([1_000, 500], [900, 400])).toBe(true);
  });
});
