/** The search at the end of a process, over outputs that cannot all be read. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock/system.js';
import { SessionId } from '../../src/contract/ids.js';
import { refuse } from '../../src/contract/refusal.js';
import { redactor } from '../../src/domain/output/redaction.js';
import type { Place } from '../../src/ports/place.js';
import { Ending } from '../../src/runtime/process/ending.js';
import { MatchNotices } from '../../src/runtime/process/match-notices.js';
import { OutputReader } from '../../src/runtime/output/output.js';
import { Places } from '../../src/runtime/output/places.js';
import { Watching } from '../../src/runtime/notice/watching.js';
import type { ProcessRecord } from '../../src/ports/store.js';
import { processId, recordOf } from '../store/conformance.js';

const session = SessionId.parse('ses_000000000001');
const figures = {
  watch: { cooldownMs: 15_000, strikes: 3 },
  breaker: { max: 15, windowMs: 10_000, silenceMs: 30_000 },
};
const end = { kind: 'ended', end: { kind: 'exited', code: 1 }, endedAt: 5_000 } as const;

/** Searches an output that a place holds, or says that it cannot be read. */
async function lastOf(output: Buffer | 'unreadable', given: Partial<ProcessRecord> = {}) {
  const reads: number[] = [];
  const place = {
    name: 'local',
    outputSize: async () => (output === 'unreadable' ? refuse('output-damaged', 'It cannot be read.') : output.length),
    canRelease: async () => true,
    readOutput: async (_: unknown, offset: number, length: number) => {
      if (output === 'unreadable') return refuse('output-damaged', 'It cannot be read.');
      reads.push(length);
      return output.subarray(offset, offset + length);
    },
  } as Partial<Place> as Place;
  const places = new Places([place]);
  const secrets = redactor([]);
  const tell = () => undefined;
  const unused = undefined as never;
  const surroundings = { store: unused, notices: unused, redactor: secrets, clock: systemClock, tell };
  const matches = new MatchNotices(surroundings, () => unused, figures);
  const reader = new OutputReader(places, secrets, () => undefined);
  const watching = new Watching({ reader, clock: systemClock, report: async () => undefined, tell });
  const settings = { quotaBytes: 1e9, tail: { lines: 5, characters: 500 } };
  const record = recordOf(processId('a'), {
    session,
    notifyOnComplete: false,
    watchPatterns: ['ERROR'],
    startedAt: 1_000,
    released: { from: 0, to: 0 },
    ...given,
  });
  const ending = new Ending({ places, reader, matches, watching, settings });
  const { change, owes = [] } = await ending.of(record, end, 100);
  return { watch: change.watch, owes, reads, causes: owes.map(({ cause }) => cause) };
}

test('W6 searches only what was not searched before, and says how far it came', async () => {
  const output = Buffer.from('ERROR 1\nERROR 2\nbye');
  const mark = { position: 8, line: 8, reported: false };
  const { causes, watch } = await lastOf(output, { watch: { state: { kind: 'open', strikes: 0 }, mark } });
  expect(causes).toMatchObject([{ kind: 'watch_match', text: 'ERROR 2', heldBack: 0, end: end.end, endedAt: 5_000 }]);
  expect(watch).toEqual({
    state: { kind: 'ended', heldBack: 0 },
    mark: { position: 19, line: 19, reported: false },
  });
});

test('W6 reads a long output in pieces, so that others have their turns', async () => {
  const { causes, reads } = await lastOf(Buffer.concat([Buffer.alloc(2_000_000, 'x\n'), Buffer.from('ERROR')]));
  expect(causes).toMatchObject([{ kind: 'watch_match', text: 'ERROR' }]);
  expect(Math.max(...reads)).toBeLessThanOrEqual(262_144);
});

test('W6 P17 says how much had been released, with the match or with the end', async () => {
  const released = { from: 4_096, to: 12_288 };
  const output = Buffer.alloc(20_000, 'x\n');
  expect((await lastOf(output, { released })).causes).toMatchObject([{ kind: 'completion', unsearched: 8_192 }]);
  output.write('ERROR', 16_000);
  expect((await lastOf(output, { released })).causes).toMatchObject([{ kind: 'watch_match', unsearched: 8_192 }]);
});

test('W6 9 reports the end of a process whose output could not be searched', async () => {
  expect((await lastOf('unreadable')).causes).toMatchObject([{ kind: 'completion', unsearched: 100 }]);
  expect((await lastOf(Buffer.from('x\n'), { damage: 'it was truncated' })).causes).toMatchObject([
    { kind: 'completion', unsearched: 0 },
  ]);
});

test('W6 owes nothing for an output in which nothing matched, nor without patterns or a session', async () => {
  const output = Buffer.from('fine\n');
  expect((await lastOf(output)).owes).toEqual([]);
  expect(await lastOf(Buffer.from('ERROR'), { watchPatterns: [] })).toMatchObject({ owes: [], reads: [] });
});

test('W3 N1 owes only the completion after watching ended by strikes', async () => {
  const state = { kind: 'ended', heldBack: 2 } as const;
  const mark = { position: 0, line: 0, reported: false };
  const given = { notifyOnComplete: true, watch: { state, mark } };
  expect((await lastOf(Buffer.from('ERROR'), given)).causes).toMatchObject([{ kind: 'completion', heldBack: 2 }]);
});
