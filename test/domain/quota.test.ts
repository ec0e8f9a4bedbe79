import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kept, nothingReleased, release, releasedBytes } from '../../src/domain/output/quota.js';

const MiB = 1_048_576;

describe('the quota', () => {
  test('P17 releases nothing while the output fits', () => {
    expect(release(64 * MiB, nothingReleased, 64 * MiB)).toBe(nothingReleased);
  });

  test('P17 keeps the head and the tail, and releases whole blocks between them', () => {
    const released = release(100 * MiB, nothingReleased, 64 * MiB);
    expect(released).toEqual({ from: 16 * MiB, to: 68 * MiB });
  });

  test('P17 only ever grows at the far end, keeps head and tail, and stays within the quota', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 * MiB }), { maxLength: 50 }),
        fc.integer({ min: 65_536, max: 64 * MiB }),
        (growths, quota) => {
          let size = 0;
          let released = nothingReleased;
          for (const growth of growths) {
            size += growth;
            const next = release(size, released, quota);
            expect(next.to).toBeGreaterThanOrEqual(released.to);
            if (releasedBytes(released) > 0) expect(next.from).toBe(released.from);
            expect(next.to === 0 || size - next.to >= quota / 2).toBe(true);
            expect(size - releasedBytes(next)).toBeLessThanOrEqual(quota + 4_096);
            released = next;
          }
        },
      ),
    );
  });

  test('P17 counts every byte of a range as kept or as gone', () => {
    const offset = fc.integer({ min: 0, max: 1_000 });
    fc.assert(
      fc.property(offset, offset, offset, offset, (a, b, c, d) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const released = { from: Math.min(c, d), to: Math.max(c, d) };
        const { pieces, gone } = kept(from, to, released);
        const there = new Set<number>();
        for (const piece of pieces) for (let at = piece.from; at < piece.to; at++) there.add(at);
        for (let at = from; at < to; at++) expect(there.has(at)).toBe(at < released.from || at >= released.to);
        expect(there.size + gone).toBe(to - from);
      }),
    );
  });
});
