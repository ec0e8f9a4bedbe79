/** What is written at awkward moments is seen all the same. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock/system.js';
import { ProcessId } from '../../src/contract/ids.js';
import { releasedBytes, type Released } from '../../src/domain/output/quota.js';
import type { Place } from '../../src/ports/place.js';
import type { Tell } from '../../src/runtime/events.js';
import { Growth, type GrowthParts } from '../../src/runtime/output/growth.js';
import { FakeClock } from '../agent/fake-clock.js';
import { until } from '../support/until.js';

const id = ProcessId.parse('proc_000000000000');
const nothing = { from: 0, to: 0 };

/** An output that is as large as it is said to be, and tells nobody that it grew. */
function silent(sizes: readonly number[]) {
  let asked = 0;
  const released: [number, number][] = [];
  const place = {
    outputSize: async () => sizes[Math.min(asked++, sizes.length - 1)] ?? 0,
    listenToOutput: () => ({ [Symbol.dispose]: () => undefined }),
    releaseOutput: async (_: ProcessId, from: number, to: number) => (released.push([from, to]), true),
  } as Partial<Place> as Place;
  return { place, released };
}

const process = { id, released: nothing };

const growthOf = (place: Place, quotaBytes: number) =>
  new Growth({
    process,
    place,
    clock: systemClock,
    quotaBytes,
    note: async () => undefined,
    tell: () => undefined,
  });

test('W1 tells whoever follows of what was written between the look and the watch', async () => {
  const { place } = silent([0, 100]);
  const growth = growthOf(place, 1_000);
  const seen: number[] = [];
  using _ = growth.follow(() => seen.push(growth.size));
  await until('it was told', () => seen.length > 0);
  expect(seen[0]).toBe(100);
  growth.stop();
});

test('P17 keeps within its quota what was written between the look and the watch', async () => {
  const { place, released } = silent([0, 1_000_000]);
  const growth = growthOf(place, 100_000);
  growth.look();
  await until('the middle was released', () => released.length > 0);
  expect(growth.released.to).toBeGreaterThan(growth.released.from);
  growth.stop();
});

test('P17 asks a disk again that gave no blocks back, a minute later and told once', async () => {
  const clock = new FakeClock();
  const askedAt: number[] = [];
  const told: string[] = [];
  let size = 0;
  const place = {
    outputSize: async () => (size += 100_000),
    releaseOutput: async () => askedAt.push(clock.monotonic()) > 2,
  } as Partial<Place> as Place;
  const noted: Released[] = [];
  const note: GrowthParts['note'] = async (what) => void ('released' in what && noted.push(what.released));
  const tell: Tell = ({ kind }) => told.push(kind);
  const growth = new Growth({ process, place, clock, quotaBytes: 100_000, note, tell });
  growth.look();
  // A look is over when it has set the next.
  for (await clock.nextAlarm(); askedAt.length < 3; await clock.nextAlarm()) await clock.ringNext();
  growth.stop();
  expect(askedAt.map((at, index) => at - (askedAt[index - 1] ?? at))).toEqual([
    0,
    expect.toSatisfy((ms: number) => ms >= 60_000 && ms < 61_000),
    expect.toSatisfy((ms: number) => ms >= 60_000 && ms < 61_000),
  ]);
  expect(told).toEqual(['outputNotReleasable', 'outputReleased']);
  expect(noted.map(releasedBytes).map((bytes) => bytes > 0)).toEqual([true, false, true, false, true]);
  expect(growth.released).toEqual(noted.at(-1));
});
