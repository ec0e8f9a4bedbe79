import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstKept, nothingReleased, pageAt, release, releasedBytes } from '../../src/domain/output/quota.js';

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

  test('P17 pages cover every byte once, as kept or as gone, and never straddle the gap', () => {
    const offset = fc.integer({ min: 0, max: 200 });
    fc.assert(
      fc.property(offset, offset, offset, fc.integer({ min: 1, max: 60 }), (a, b, c, limit) => {
        const [from = 0, to = 0, size = 0] = [a, b, c].sort((one, other) => one - other);
        const released = { from, to };
        for (let at = 0; at < size;) {
          const page = pageAt(at, limit, size, released);
          expect(page.from).toBe(at);
          expect(page.to - firstKept(page)).toBeLessThanOrEqual(limit);
          for (let byte = at; byte < page.to; byte++)
            expect(byte >= firstKept(page)).toBe(byte < released.from || byte >= released.to);
          expect(page.gap).toEqual(at >= from && at < to ? { from: at, to } : undefined);
          expect(page.to).toBeGreaterThan(at);
          at = page.to;
        }
      }),
    );
  });
});
