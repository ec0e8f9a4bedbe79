import { describe, expect, test } from 'vitest';
import { listing, neighbour } from '../../web/src/process/listing.js';
import { aProcess, processId } from './a-process.js';

const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
const ended = (name: string, minute: number, code = 0) =>
  aProcess(name, { state: 'ended', startedAt: at(0), endedAt: at(minute), end: { kind: 'exited', code } });

const old = aProcess('old', { startedAt: at(1), name: 'server' });
const young = aProcess('young', { startedAt: at(2), cwd: '/srv' });
const all = [ended('first', 3), old, ended('last', 5, 1), young];
const ids = (listed: readonly { readonly id: string }[]) => listed.map(({ id }) => id);

describe('L9 the list of processes', () => {
  test('shows what runs first, the newest of it on top, then what ended last', () => {
    const { running, ended } = listing(all, '', 10);
    expect(ids(running)).toEqual(ids([young, old]));
    expect(ids(ended)).toEqual([processId('last'), processId('first')]);
  });

  test('leaves out what ended long ago, and says how many', () => {
    expect(listing(all, '', 1)).toMatchObject({ ended: [{ id: processId('last') }], hidden: 1 });
  });

  test('never leaves out what runs', () => {
    expect(listing(all, '', 0).running).toHaveLength(2);
  });

  test.each([
    ['SERVER', ['old']],
    ['/srv', ['young']],
    ['exit 1', ['last']],
    ['make running', ['young', 'old']],
    ['proc_young', ['young']],
    ['nothing of the kind', []],
  ])('finds by %j those in which every word stands', (asked, names) => {
    const { running, ended } = listing(all, asked, 10);
    expect(ids([...running, ...ended])).toEqual(names.map(processId));
  });

  test('goes from one to the next and around', () => {
    const listed = listing(all, '', 10);
    expect(neighbour(listed, undefined, 1)?.id).toBe(young.id);
    expect(neighbour(listed, old.id, 1)?.id).toBe(processId('last'));
    expect(neighbour(listed, young.id, -1)?.id).toBe(processId('first'));
    expect(neighbour(listing([], '', 10), young.id, 1)).toBeUndefined();
  });
});
