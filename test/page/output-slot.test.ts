import { expect, test } from 'vitest';
import { takeSlot, type Locks } from '../../web/src/process/output-slot.js';

/** The locks of a browser, which all its tabs share. */
function browserLocks(): Locks {
  const held = new Set<string>();
  const request = async (name: string, _: unknown, work: (lock: Lock | null) => Promise<unknown>): Promise<unknown> => {
    if (held.has(name)) return work(null);
    held.add(name);
    return work({ name, mode: 'exclusive' }).finally(() => held.delete(name));
  };
  return { request } as Locks;
}

test('L6 lets three views of a browser stream, and the next one when one of them is over', async () => {
  const locks = browserLocks();
  const taken = [await takeSlot(locks), await takeSlot(locks), await takeSlot(locks)];
  expect(taken).not.toContain(undefined);
  expect(await takeSlot(locks)).toBeUndefined();
  taken[1]?.release();
  // The lock is free when the browser has heard of it.
  await new Promise(setImmediate);
  expect(await takeSlot(locks)).toBeDefined();
  expect(await takeSlot(locks)).toBeUndefined();
});

test('L6 lets none stream where tabs cannot agree', async () => {
  expect(await takeSlot(undefined)).toBeUndefined();
});
