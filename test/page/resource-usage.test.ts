import { describe, expect, test } from 'vitest';
import { bytesInWords } from 'rouse/contract/display';
import { loadsOf, percentInWords, type Look } from '../../web/src/process/resource-usage.js';
import { processId } from './a-process.js';

const [one, two] = [processId('one'), processId('two')];
const look = (second: number, cpuMs: Partial<Record<string, number>>): Look => ({
  at: new Date(second * 1_000).toISOString(),
  usage: Object.entries(cpuMs).map(([process, ms = 0]) => ({
    process: process as typeof one,
    cpuMs: ms,
    memoryBytes: 1_000,
    processes: 2,
  })),
});

describe('L9 how busy processes are', () => {
  test('is what they used between two looks, by the time of the host', () => {
    const loads = loadsOf(look(10, { [one]: 500, [two]: 0 }), look(12, { [one]: 1_500, [two]: 3_000 }));
    expect(loads.get(one)?.cpu).toBe(50);
    expect(loads.get(two)?.cpu).toBe(150);
  });

  test('is not known after one look, nor for one that was not there before', () => {
    expect(loadsOf(undefined, look(1, { [one]: 500 })).get(one)).toEqual({ memoryBytes: 1_000, processes: 2 });
    expect(loadsOf(look(1, {}), look(2, { [one]: 500 })).get(one)?.cpu).toBeUndefined();
    expect(loadsOf(look(1, { [one]: 1 }), look(1, { [one]: 1 })).get(one)?.cpu).toBeUndefined();
  });

  test('is never less than nothing, though a child takes its time with it', () => {
    expect(loadsOf(look(1, { [one]: 900 }), look(2, { [one]: 100 })).get(one)?.cpu).toBe(0);
  });

  test('reads as short as a column is', () => {
    expect([0, 999, 1_400, 23_400_000, 999_600, 2e15].map(bytesInWords)).toEqual([
      '0 B',
      '999 B',
      '1.4 kB',
      '23 MB',
      '1.0 MB',
      '2000 TB',
    ]);
    expect([0, 0.04, 9.94, 9.96, 150].map(percentInWords)).toEqual(['0%', '0%', '9.9%', '10%', '150%']);
  });
});
