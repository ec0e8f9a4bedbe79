/** Browsers whose page is closed, a real host that is killed, and a push service that believes nobody. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PushAnswer } from '../../src/contract/people.js';
import type { Subscribed } from '../../src/runtime/people/subscriptions.js';
import { connect } from '../../src/store/sqlite/connection.js';
import { startHost, type TestHost } from '../support/host.js';
import { PushService } from '../support/push-service.js';
import { signedIn, sameBrowser, type SignedIn } from '../support/signed-in.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const FIGURES = { allowLoopback: true, delayMs: 0, firstRetryMs: 10, longestRetryMs: 50 };

async function open(push: object = {}): Promise<{ host: TestHost; service: PushService }> {
  const service = await PushService.open();
  return { host: await startHost({ config: { push: { ...FIGURES, ...push } } }), service };
}

const standing = async (browser: SignedIn) => (await (await browser.ask('/api/push')).json()) as PushAnswer;

async function subscribed(host: TestHost, service: PushService, name: string): Promise<SignedIn> {
  const browser = await signedIn(host);
  const { publicKey } = await standing(browser);
  const answer = await browser.ask('/api/push', { subscription: service.subscribe(name, publicKey) });
  expect(await answer.json()).toEqual({ publicKey, subscribed: true });
  return browser;
}

/** The subscriptions as the store has them. */
async function stored(host: TestHost): Promise<readonly Subscribed[]> {
  const db = await connect(join(host.home, 'rouse.db'), 5_000);
  try {
    const row = db.prepare("select state from kept where name = 'push subscriptions'").all([])[0] as { state: string };
    return JSON.parse(row.state) as Subscribed[];
  } finally {
    db.close();
  }
}

/** Everything up to this number is settled for every browser. */
const isToldUpTo = async (host: TestHost, seq: number): Promise<boolean> =>
  (await stored(host)).every(({ after }) => after >= seq);

describe('a browser', () => {
  test('is told whether it is subscribed, and the same key by every host of the home', async () => {
    const { host, service } = await open();
    const browser = await subscribed(host, service, 'phone');
    const { publicKey, subscribed: before } = await standing(browser);
    await host.stop();
    const again = sameBrowser(await host.again(), browser);
    expect([before, await standing(again)]).toEqual([true, { publicKey, subscribed: true }]);
    expect(await (await again.ask('/api/push/remove', {})).json()).toEqual({ publicKey, subscribed: false });
    expect(await standing(again)).toEqual({ publicKey, subscribed: false });
  });

  test('must be one: a token alone cannot be told', async () => {
    const { host, service } = await open();
    const subscription = service.subscribe('phone', 'x');
    for (const ask of [host.client.pushed(), host.client.subscribe(subscription), host.client.unsubscribe()])
      await expect(ask).rejects.toThrow('Only a signed-in browser can receive push messages.');
  });

  test('cannot have the host write to an address inside its network', async () => {
    const { host, service } = await open({ allowLoopback: false });
    const browser = await signedIn(host);
    for (const endpoint of [
      'http://127.0.0.1:9/x',
      'https://127.0.0.1/x',
      'https://[fd00::1]/x',
      'https://localhost/x',
    ]) {
      const answer = await browser.ask('/api/push', { subscription: { ...service.subscribe('x', 'x'), endpoint } });
      expect(answer.status, endpoint).toBe(400);
    }
    expect(await standing(browser)).toMatchObject({ subscribed: false });
  });
});

describe('a word', () => {
  test('comes to the browser whose page is closed, and not to the one whose page is open', async () => {
    const { host, service } = await open();
    await subscribed(host, service, 'phone');
    const laptop = await subscribed(host, service, 'laptop');
    const page = new AbortController();
    const events = await fetch(`${host.url}/api/events`, { headers: laptop.headers, signal: page.signal });
    const talk = await Talk.begin(host, { title: 'Builds' });
    await talk.say('say It is **built**.');
    const { seq } = await talk.comes('turnEnded');
    expect(await service.count(1, 'phone')).toEqual(['It is built.']);
    expect(service.pushed[0]?.payload).toMatchObject({ title: 'Builds', url: `/#/sessions/${talk.id}` });
    await until('the laptop was passed over', () => isToldUpTo(host, seq));
    page.abort();
    await events.text().catch(() => undefined);
    await until('the laptop is told', async () => {
      await talk.say('say Later.');
      return service.bodies('laptop').length > 0;
    });
    expect(new Set(service.bodies('laptop'))).toEqual(new Set(['Later.']));
  });

  test('T10 T11 comes for a question and for a turn that failed, and T13 not for silence', async () => {
    const { host, service } = await open();
    await subscribed(host, service, 'phone');
    const talk = await Talk.begin(host, { title: 'Builds' });
    await talk.say('say NOTHING_TO_SAY');
    await talk.ended(1);
    await talk.say('call clarify {"question": "Which branch?"}');
    expect(await service.count(1)).toEqual(['Which branch?']);
    await talk.host.client.stop(talk.id);
    await talk.ended(2);
    await talk.say('fail no-credit');
    const [, failed] = await service.count(2);
    expect(failed).toMatch(/^The turn failed: /);
  });

  test('that was owed when the host was killed is sent by the next one, once', async () => {
    const { host, service } = await open({ delayMs: 600_000 });
    await subscribed(host, service, 'phone');
    const talk = await Talk.begin(host);
    await talk.say('say Built.');
    await talk.comes('turnEnded');
    await host.kill();
    expect(service.pushed).toEqual([]);
    const next = await host.again({ config: { push: FIGURES } });
    expect(await service.count(1)).toEqual(['Built.']);
    const { seq } = await talk.on(next).comes('turnEnded');
    await until('it is remembered', () => isToldUpTo(next, seq));
    await next.kill();
    const last = await next.again();
    await talk.on(last).say('say More.');
    expect(await service.count(2)).toEqual(['Built.', 'More.']);
  });

  test('that hung when the host was killed is sent again under its tag', async () => {
    const { host, service } = await open();
    service.reply = (_, before) => (before === 0 ? 'hang' : 201);
    await subscribed(host, service, 'phone');
    const talk = await Talk.begin(host);
    await talk.say('say Built.');
    await service.count(1);
    await host.kill();
    await host.again();
    expect(await service.count(2)).toEqual(['Built.', 'Built.']);
    expect(new Set(service.pushed.map(({ payload }) => payload.tag)).size).toBe(1);
  });
});

describe('a push service', () => {
  test('that answers 410 is never asked for this browser again', async () => {
    const { host, service } = await open();
    service.reply = () => 410;
    const browser = await subscribed(host, service, 'phone');
    await (await Talk.begin(host)).say('say Built.');
    await service.count(1);
    await until('it is forgotten', async () => !(await standing(browser)).subscribed);
  });

  test('that answers 429 and 503 is asked again', async () => {
    const { host, service } = await open();
    service.reply = (_, before) => [429, 503, 201][before] ?? 500;
    await subscribed(host, service, 'phone');
    const talk = await Talk.begin(host);
    await talk.say('say Built.');
    await talk.comes('turnEnded');
    await service.count(3);
    await talk.say('say More.');
    expect((await service.count(6)).slice(2, 4)).toEqual(['Built.', 'More.']);
  });

  test('that hangs costs nobody anything', async () => {
    const { host, service } = await open({ timeoutMs: 600_000 });
    service.reply = ({ to }) => (to === 'phone' ? 'hang' : 201);
    await subscribed(host, service, 'phone');
    await subscribed(host, service, 'laptop');
    const talk = await Talk.begin(host);
    for (const words of ['One.', 'Two.', 'Three.']) {
      await talk.say(`say ${words}`);
      await until(`${words} came`, () => service.bodies('laptop').includes(words));
    }
    expect(service.bodies('phone')).toEqual(['One.']);
    await host.stop();
    expect(host.gone).toBe(true);
  });

  test('is told nothing for a browser that was signed out', async () => {
    const { host, service } = await open();
    const phone = await subscribed(host, service, 'phone');
    await subscribed(host, service, 'laptop');
    await phone.ask('/api/sign-out', {});
    const talk = await Talk.begin(host);
    await talk.say('say Built.');
    await service.count(1, 'laptop');
    await until('it is forgotten', async () => (await stored(host)).length === 1);
    expect(service.bodies()).toEqual(['Built.']);
  });
});
