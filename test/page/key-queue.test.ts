import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyQueue } from '../../web/src/process/key-queue.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const aMoment = () => vi.advanceTimersByTimeAsync(100);

/** A process that takes what is sent when it is told to. */
function slowProcess() {
  const sent: string[] = [];
  const taken: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const send = (keys: string) => {
    sent.push(keys);
    return new Promise<void>((resolve, reject) => taken.push({ resolve, reject }));
  };
  return { sent, taken, send };
}

const ignore = () => undefined;

test('P6 sends keys in the order in which they were typed, and only one request at a time', async () => {
  const { sent, taken, send } = slowProcess();
  const queue = new KeyQueue(send, ignore);
  queue.type('l');
  queue.type('s');
  await aMoment();
  queue.type(' -');
  queue.type('l\r');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual(['ls']);
  taken[0]?.resolve();
  await aMoment();
  expect(sent).toEqual(['ls', ' -l\r']);
});

test('throws away what waited behind keys that did not arrive, and says so once', async () => {
  const { sent, taken, send } = slowProcess();
  const failures: unknown[] = [];
  const queue = new KeyQueue(send, (error) => failures.push(error));
  queue.type('rm -r ');
  await aMoment();
  queue.type('old\r');
  taken[0]?.reject(new Error('gone'));
  await aMoment();
  expect(failures).toEqual([new Error('gone')]);
  queue.type('ls\r');
  await aMoment();
  expect(sent).toEqual(['rm -r ', 'ls\r']);
});

test('cuts what was pasted between characters, and sends all of it', async () => {
  const { sent, taken, send } = slowProcess();
  const queue = new KeyQueue(send, ignore);
  const pasted = `x${'😀'.repeat(140_000)}`;
  queue.type(pasted);
  await aMoment();
  taken[0]?.resolve();
  await aMoment();
  expect(sent.filter((keys) => /\p{Surrogate}/u.test(keys))).toEqual([]);
  expect(sent.join('')).toBe(pasted);
});
