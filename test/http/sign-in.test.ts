import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RouseClient } from '../../src/client/client.js';
import { systemClock } from '../../src/clock/system.js';
import type { Browser } from '../../src/domain/people/sign-in.js';
import { SqliteStore } from '../../src/store/sqlite/store.js';
import { startHost, type TestHost } from '../support/host.js';
import { bring, newCode, signedIn, sameBrowser, type SignedIn } from '../support/signed-in.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});

const me = async (browser: SignedIn) => (await browser.ask('/api/me')).status;

describe('a link', () => {
  test('stands behind the # of our own address and says how long it is good', async () => {
    const { url, expiresAt } = await host.client.signInLink();
    expect(url).toMatch(new RegExp(`^${host.url}/#sign-in=[\\w-]{22,}$`));
    const leftMs = Date.parse(expiresAt) - Date.now();
    expect(leftMs).toBeGreaterThan(13 * 60_000);
    expect(leftMs).toBeLessThanOrEqual(15 * 60_000);
  });

  test('signs a browser in, once', async () => {
    const code = await newCode(host);
    const first = await bring(host, code);
    expect([first.status, await first.json()]).toEqual([200, { signedIn: true }]);
    const second = await bring(host, code);
    expect([second.status, second.headers.get('set-cookie')]).toEqual([401, null]);
    expect(await second.json()).toMatchObject({
      detail: 'This link was used already or is too old. Run `rouse open` for a fresh one.',
    });
  });

  test('lets one in when several bring it at the same time', async () => {
    const code = await newCode(host);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => bring(host, code)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 401)).toHaveLength(4);
  });

  test('is made for whoever is signed in already', async () => {
    const browser = await signedIn(host);
    const response = await browser.ask('/api/sign-in-links', {});
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ url: expect.stringContaining(`${host.url}/#sign-in=`) });
  });

  test('is accepted after many wrong ones: nobody can lock the owner out', async () => {
    const code = await newCode(host);
    for (let tried = 0; tried < 50; tried++) expect((await bring(host, `wrong${tried}`)).status).toBe(401);
    expect((await bring(host, code)).status).toBe(200);
  });
});

describe('the cookie', () => {
  test('is for this port and this page alone, and for 30 days', async () => {
    const { headers } = await bring(host, await newCode(host));
    const [pair, ...attributes] = (headers.get('set-cookie') ?? '').split('; ');
    expect(pair).toMatch(new RegExp(`^rouse-${new URL(host.url).port}=[\\w-]{43}$`));
    expect(attributes).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict']);
  });

  test('goes by https alone where it came so', async () => {
    const other = await startHost({ config: { allowedOrigins: ['https://rouse.example'] } });
    const { headers } = await bring(other, await newCode(other), { origin: 'https://rouse.example' });
    expect(headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('is good after a restart', async () => {
    const before = await startHost();
    const browser = await signedIn(before);
    await before.kill();
    const after = await before.again();
    expect(await me(sameBrowser(after, browser))).toBe(200);
  });

  test('is renewed at its first use of a day, and not before', async () => {
    const browser = await usedAgo(25 * 3_600_000);
    const renewed = (await browser.ask('/api/me')).headers.get('set-cookie');
    expect(renewed).toBe(`${browser.cookie}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict`);
    await until('that is noted', async () => (await browser.ask('/api/me')).headers.get('set-cookie') === null);
    const recent = await usedAgo(23 * 3_600_000);
    expect((await recent.ask('/api/me')).headers.get('set-cookie')).toBeNull();
  });

  test('is renewed by a stream, too', async () => {
    const browser = await usedAgo(25 * 3_600_000);
    const stream = await browser.ask('/api/events');
    expect(stream.headers.get('set-cookie')).toContain('Max-Age=2592000');
    await stream.body?.cancel();
  });

  test('is worth nothing when it was not used for 30 days', async () => {
    expect(await me(await usedAgo(31 * 24 * 3_600_000))).toBe(401);
  });

  test('is not among what the host keeps', async () => {
    const other = await startHost();
    const secret = (await signedIn(other)).cookie.split('=')[1] ?? '';
    await other.stop();
    const kept = await withStore(other.home, (store) => store.values.get('signed-in browsers'));
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(secret);
  });
});

describe('whoever asks', () => {
  test('is told who he is', async () => {
    const { version } = await host.client.health();
    expect(await host.client.me()).toEqual({ version });
    const browser = await signedIn(host);
    expect(await (await browser.ask('/api/me')).json()).toEqual({
      browser: { id: expect.stringMatching(/^brw_/), signedInAt: expect.stringMatching(/^20\d\d-/) },
      version,
    });
  });

  test('is told how to come in when he is nobody', async () => {
    await expect(new RouseClient(host.url).me()).rejects.toMatchObject({
      word: 'no-token',
      message: expect.stringContaining('rouse open') as string,
    });
  });
});

describe('signing out', () => {
  test('ends this browser, its open streams too, and no other', async () => {
    const [going, staying] = [await signedIn(host), await signedIn(host)];
    const [one, two] = [await going.ask('/api/events'), await going.ask('/api/events')];
    const other = await staying.ask('/api/events');
    const response = await going.ask('/api/sign-out', {});
    expect(await response.json()).toEqual({ signedOut: 1 });
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    await Promise.all([ends(one), ends(two)]);
    expect([await me(going), await me(staying)]).toEqual([401, 200]);
    const { session } = await host.client.createSession({ agent: 'none' });
    await host.client.notify(session.id, 'still here');
    await reads(other, 'still here');
  });

  test('closes the output of a process that a browser follows', async () => {
    const browser = await signedIn(host);
    const { id } = (await host.client.start({ command: 'sleep 300' })).process;
    const stream = await browser.ask(`/api/processes/${id}/output/stream`);
    await browser.ask('/api/sign-out', {});
    await ends(stream);
  });

  test('everywhere ends all of them and voids unused links, by a browser or by the token', async () => {
    const other = await startHost();
    const all = [await signedIn(other), await signedIn(other)] as const;
    const unused = await newCode(other);
    const stream = await all[1].ask('/api/events');
    await all[0].ask('/api/sign-out', { everywhere: true });
    await ends(stream);
    expect(await Promise.all(all.map(me))).toEqual([401, 401]);
    expect((await bring(other, unused)).status).toBe(401);
    const late = await signedIn(other);
    expect(await other.client.signOut({ everywhere: true })).toEqual({ signedOut: 1 });
    expect(await me(late)).toBe(401);
    expect((await other.client.health()).status).toBe('ok');
  });

  test('is for browsers: the token alone ends nothing', async () => {
    await expect(host.client.signOut()).rejects.toMatchObject({ word: 'invalid' });
  });

  test('is not undone by a restart', async () => {
    const before = await startHost();
    const browser = await signedIn(before);
    await browser.ask('/api/sign-out', {});
    await before.kill();
    expect(await me(sameBrowser(await before.again(), browser))).toBe(401);
  });
});

/** A browser of a host that was used so long ago, by what its store says. */
async function usedAgo(ms: number): Promise<SignedIn> {
  const before = await startHost();
  const browser = await signedIn(before);
  await before.stop();
  await withStore(before.home, async (store) => {
    const [known] = (await store.values.get('signed-in browsers')) as [Browser];
    const older = { ...known, usedAt: known.usedAt - ms };
    await store.transact(({ values }) => values.put('signed-in browsers', [older]));
  });
  return sameBrowser(await before.again(), browser);
}

async function withStore<Result>(home: string, work: (store: SqliteStore) => Promise<Result>): Promise<Result> {
  const store = await SqliteStore.open(join(home, 'rouse.db'), systemClock);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Over when the host has closed the stream, whether it ended it or cut it. */
const ends = (response: Response): Promise<unknown> => response.text().catch(() => undefined);

async function reads(response: Response, text: string): Promise<void> {
  let read = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    read += Buffer.from(chunk).toString();
    if (read.includes(text)) return;
  }
  throw new Error(`The stream ended without "${text}".`);
}
