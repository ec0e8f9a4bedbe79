import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock/system.js';
import { ProcessId } from '../../src/contract/ids.js';
import type { Member, Place } from '../../src/ports/place.js';
import { shared } from '../../src/place/local/census.js';
import { Terminations } from '../../src/runtime/process/termination.js';
import { until } from '../support/until.js';

const ID = ProcessId.parse('proc_0123456789abcdef');
const identity = (pid: number) => ({ pid, startTime: '1', boot: 'b' });
const OWNED = { shim: identity(1), command: identity(2) };
const MEMBER: Member = { identity: identity(2), command: 'it' };

/** A place with one member, which dies after it was asked so often whether it still lives, or at SIGKILL. */
function placeWith({ looks = Infinity } = {}) {
  const calls = { members: 0, countAlive: 0, signals: [] as string[] };
  let dead = false;
  const living = () => (dead ? [] : [MEMBER]);
  const place = {
    members: () => (calls.members++, Promise.resolve(living())),
    countAlive: () => {
      dead ||= ++calls.countAlive > looks;
      return Promise.resolve(living().length);
    },
    signal: (_: unknown, __: unknown, signal: string) => {
      calls.signals.push(signal);
      dead ||= signal === 'SIGKILL';
      return Promise.resolve();
    },
  } as unknown as Place;
  return { place, calls };
}

test.each([0, 5, 20])('P7 looks at the whole place twice, also when the end takes %i looks', async (looks) => {
  const { place, calls } = placeWith({ looks });
  const terminations = new Terminations(systemClock, 60_000, () => undefined);
  expect(await terminations.end({ place, id: ID, owned: OWNED }, 'SIGTERM', () => Promise.resolve())).toEqual([]);
  expect(calls.members).toBe(2);
  expect(calls.signals).toEqual(['SIGTERM', 'SIGCONT']);
});

test('P7 stops and kills what has outlived its grace', async () => {
  const { place, calls } = placeWith();
  let forced = 0;
  const terminations = new Terminations(systemClock, 30, () => undefined);
  expect(
    await terminations.end({ place, id: ID, owned: OWNED }, 'SIGTERM', () => Promise.resolve(void forced++)),
  ).toEqual([]);
  expect(forced).toBe(1);
  expect(calls.signals).toEqual(['SIGTERM', 'SIGCONT', 'SIGSTOP', 'SIGKILL']);
});

test('a reading is shared by all who ask before it begins, and by none who asks later', async () => {
  const begun: (() => void)[] = [];
  const read = shared(() => new Promise<number>((resolve) => begun.push(() => resolve(begun.length))), systemClock);
  const first = [read(), read(), read()];
  await Promise.resolve();
  expect(begun).toHaveLength(1);
  const later = [read(), read()];
  begun[0]?.();
  expect(await Promise.all(first)).toEqual([1, 1, 1]);
  await until('the next has begun', () => begun.length === 2);
  begun[1]?.();
  expect(await Promise.all(later)).toEqual([2, 2]);
});

test('a reading that fails is told to those who share it, and the next one is tried', async () => {
  let times = 0;
  const read = shared(() => (++times === 1 ? Promise.reject(new Error('once')) : Promise.resolve(times)), systemClock);
  await expect(read()).rejects.toThrow('once');
  expect(await read()).toBe(2);
});
