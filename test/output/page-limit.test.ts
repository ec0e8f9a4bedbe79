import { beforeAll, expect, test } from 'vitest';
import { PAGE_BYTES, RAW_PAGE_BYTES } from '../../src/contract/output.js';
import { startHost, type TestHost } from '../support/host.js';

const SIZE = 60_000_000;
let host: TestHost;
let id: string;
let session: string;

beforeAll(async () => {
  host = await startHost();
  session = (await host.client.createSession({ agent: 'none' })).session.id;
  const command = `head -c ${SIZE - 5} /dev/zero | tr '\\0' x; printf 'enda\n'`;
  id = (await host.client.start({ command, session })).process.id;
  await host.client.wait(id, 60_000);
});

test('P5 the tail of one endless line is its end, and says where it begins', async () => {
  for (const { tail } of [
    await host.client.process(id, { tail: 1 }),
    await host.client.poll(id, session, { tail: 1 }),
  ]) {
    expect(tail).toMatchObject({ from: SIZE - PAGE_BYTES, to: SIZE, size: SIZE, released: 0 });
    expect(tail?.text).toHaveLength(PAGE_BYTES);
    expect(tail?.text.endsWith('xenda\n')).toBe(true);
  }
});

test('P5 a page by lines ends at the limit and says how much there is', async () => {
  const first = { from: 0, to: PAGE_BYTES, size: SIZE, line: 0, totalLines: 1 };
  for (const query of [{ line: 0 }, { line: -1, lines: 1 }, { lines: 100_000 }]) {
    expect(await host.client.output(id, query)).toMatchObject(first);
    expect((await host.client.log(id, session, query)).output).toMatchObject(first);
  }
});

test('P5 a page by bytes ends at the limit, whatever was asked for', async () => {
  const query = { offset: 10, limit: 8_388_608 };
  expect(await host.client.output(id, query)).toMatchObject({ from: 10, to: 10 + PAGE_BYTES, size: SIZE });
  const raw = await host.client.bytes(id, query.offset, query.limit);
  expect(raw).toMatchObject({ from: 10, to: 10 + RAW_PAGE_BYTES, size: SIZE });
  expect(raw.bytes).toHaveLength(RAW_PAGE_BYTES);
});

test('P5 what is found in it is shown in a few hundred characters', async () => {
  const { matches, next } = await host.client.searchOutput(id, 'x', { offset: SIZE - 1_000_000 });
  expect(next).toBeUndefined();
  expect(matches).toHaveLength(1);
  expect(matches[0]?.text.length).toBeLessThanOrEqual(400);
});
