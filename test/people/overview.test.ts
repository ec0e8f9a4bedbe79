import { expect, test } from 'vitest';
import { ProcessId, SessionId } from '../../src/contract/ids.js';
import { News } from '../../src/runtime/listeners.js';
import { Overview, type OverviewParts, type Told } from '../../src/runtime/people/overview.js';
import { FakeClock } from '../agent/fake-clock.js';
import { until } from '../support/until.js';

const session = SessionId.parse('ses_000000000001');
const process = ProcessId.parse('proc_000000000001');
const other = ProcessId.parse('proc_000000000002');

/** A host of which only what is looked at is there, and where the looks are counted. */
function stage() {
  const [news, clock] = [new News(), new FakeClock()];
  const looks: string[] = [];
  const faults: unknown[] = [];
  const told: Told[][] = [];
  const forgotten = new Set<string>();
  const broken = new Set<string>();
  const audience = { isThere: true, tell: (some: readonly Told[]) => void told.push([...some]) };
  let ring: (id: ProcessId, session: SessionId | undefined) => void = () => undefined;
  const look = (id: string) => {
    looks.push(id);
    if (broken.has(id)) throw new Error('the disk does not answer');
    return { id };
  };
  const parts = {
    news,
    clock,
    fault: (_: string, error: unknown) => void faults.push(error),
    store: { sessions: { get: async (id: string) => ({ id }) } },
    sessions: { view: async ({ id }: { id: string }) => look(id) },
    views: { of: async ({ id }: { id: string }) => look(id) },
    supervisor: {
      get: async (id: string) => (forgotten.has(id) ? undefined : { id }),
      listen: (heard: typeof ring) => {
        ring = heard;
        return { [Symbol.dispose]: () => undefined };
      },
    },
  } as unknown as OverviewParts;
  const overview = new Overview(parts, audience);
  const next = async () => {
    const before = told.length;
    await clock.ringNext();
    return until('it was told', () => told.length > before && told.at(-1));
  };
  return { news, clock, overview, audience, looks, told, faults, forgotten, broken, next, ring: () => ring };
}

const ids = (told: readonly Told[]) => told.map(({ subject }) => subject.id);

test('L9 tells what has changed within a moment once, with the session of a process', async () => {
  const { news, ring, next, looks } = stage();
  for (let again = 0; again < 5; again++) news.notify(session);
  for (let again = 0; again < 5; again++) ring()(process, session);
  expect(ids(await next())).toEqual([session, process]);
  expect(looks).toEqual([session, process]);
});

test('L9 tells that a process is there no more', async () => {
  const { ring, next, forgotten } = stage();
  forgotten.add(process);
  ring()(process, undefined);
  expect((await next()).map(({ seen }) => seen)).toEqual([{ kind: 'forgotten', process }]);
});

test('tells of the others when one cannot be looked at', async () => {
  const { ring, next, broken, faults } = stage();
  broken.add(process);
  ring()(process, undefined);
  ring()(other, undefined);
  expect(ids(await next())).toEqual([other]);
  expect(faults).toHaveLength(1);
});

test('looks at nothing while nobody is there', () => {
  const { audience, ring, clock, looks } = stage();
  audience.isThere = false;
  ring()(process, session);
  clock.advance(1_000);
  expect(looks).toEqual([]);
});
