import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { BrowserId } from '../../src/contract/ids.js';
import { Browsers } from '../../src/runtime/people/sign-in.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { FakeClock } from '../agent/fake-clock.js';
import { newFolder, onCleanUp } from '../support/clean-up.js';

let store: SqliteStore;
let made: number;
const clock = new FakeClock();
const KEY = 'key of the page';

beforeEach(async () => {
  store = await SqliteStore.open(join(newFolder(), 'rouse.db'), clock);
  onCleanUp(() => store.close());
  made = 0;
});
const newBrowsers = () =>
  new Browsers(
    store,
    clock,
    () => BrowserId.parse(`brw_${String(made++).padStart(12, '0')}`),
    () => `secret ${made++}`,
  );

test('sends everybody away when the host stops, and knows them all at the next start', async () => {
  const browsers = newBrowsers();
  const { browser, secret } = await browsers.signIn({ key: KEY, secure: false });
  const stay = browsers.stay(browser.id);
  browsers.close();
  expect(stay.aborted).toBe(true);
  const next = newBrowsers();
  await next.recall();
  expect(next.of({ secret, key: KEY })).toEqual(browser);
});

test('forgets none of many that come and go at the same time', async () => {
  const browsers = newBrowsers();
  const first = await browsers.signIn({ key: KEY, secure: false });
  const stay = browsers.stay(first.browser.id);
  const [, ...others] = await Promise.all([
    browsers.signOut(first.browser.id),
    ...Array.from({ length: 20 }, () => browsers.signIn({ key: KEY, secure: false })),
  ]);
  const next = newBrowsers();
  await next.recall();
  for (const known of [browsers, next])
    expect(others.map(({ secret }) => known.of({ secret, key: KEY })?.id)).toEqual(
      others.map(({ browser }) => browser.id),
    );
  expect([stay.aborted, next.of({ secret: first.secret, key: KEY })]).toEqual([true, undefined]);
});

test('sends away the one whose place is taken', async () => {
  const browsers = newBrowsers();
  const oldest = await browsers.signIn({ key: KEY, secure: false });
  const stay = browsers.stay(oldest.browser.id);
  clock.advance(1);
  for (let more = 0; more < 50; more++) await browsers.signIn({ key: KEY, secure: false });
  expect([stay.aborted, browsers.of({ secret: oldest.secret, key: KEY })]).toEqual([true, undefined]);
});

test('knows a browser by its cookie and its key together, and by neither alone', async () => {
  const browsers = newBrowsers();
  const { browser, secret } = await browsers.signIn({ key: KEY, secure: false });
  expect(browsers.of({ secret, key: KEY })).toEqual(browser);
  expect([browsers.of({ secret, key: '' }), browsers.of({ secret: '', key: KEY })]).toEqual([undefined, undefined]);
});
