/** A person who does not look, and how he learns what there is to know. */
import type { Browser, BrowserContext, Page, Worker } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Alert } from '../../src/contract/alert.js';
import { launch, Stage, upToDate } from '../support/browser.js';
import { PushService } from '../support/push-service.js';
import { until } from '../support/until.js';
import { sees, send } from './sight.js';

let browser: Browser;
let stage: Stage;

beforeAll(async () => {
  browser = await launch();
});

/** What a browser says to its page when another window covers it. */
const look = (page: Page, state: 'visible' | 'hidden'): Promise<void> =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

/** Over when the browser knows that none of these tabs is looked at. */
async function lookAway(...tabs: readonly Page[]): Promise<void> {
  for (const tab of tabs) await look(tab, 'hidden');
  const held = () => tabs[0]?.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name));
  await until('nobody looks', async () => !(await held())?.includes('rouse page looked at'));
}

type Shown = { readonly title: string; readonly body: string; readonly tag: string };

/** Everything that the page has shown. A browser without a desktop forgets its notifications after a while. */
const shown = (page: Page): Promise<readonly Shown[]> =>
  page.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown);

const remembering = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const shown: Shown[] = [];
    Object.assign(globalThis, { shown });
    // oxlint-disable-next-line typescript/unbound-method -- called with the registration below
    const show = ServiceWorkerRegistration.prototype.showNotification;
    ServiceWorkerRegistration.prototype.showNotification = function (title, options = {}) {
      shown.push({ title, body: options.body ?? '', tag: options.tag ?? '' });
      return show.call(this, title, options);
    };
  });

const bodies = async (page: Page): Promise<readonly string[]> => (await shown(page)).map(({ body }) => body);

async function byPalette(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search commands and sessions' }).fill(title);
  await page.getByRole('option', { name: title, exact: true }).click();
}

/** Somebody who has asked to be told on this device, and the program that the browser keeps for it. */
async function toldPerson(): Promise<{ page: Page; worker: Worker }> {
  const page = await stage.person({ permissions: ['notifications'] });
  const coming = workerOf(page.context());
  await byPalette(page, 'Notify me on this device');
  await page.getByText(/^Notifications are on for this device/).waitFor();
  await remembering(page);
  return { page, worker: await coming };
}

const workerOf = (context: BrowserContext): Promise<Worker> =>
  until('the service worker is there', () => context.serviceWorkers()[0]);

describe('the name of the tab', () => {
  test('says what is unread, what works and what asks', async () => {
    stage = await Stage.set(browser);
    const talk = await stage.session('Builds');
    const page = await stage.person();
    const title = (expected: string) => until(`it is ${expected}`, async () => (await page.title()) === expected);
    await title('Rouse');
    await talk.say('say Done.');
    await title('(1) Rouse');
    await stage.look(page, talk);
    await title('Builds · Rouse');
    await talk.say('hold 600000');
    await title('● Builds · Rouse');
    await talk.say('call clarify {"question": "Which?"}', 'interrupt');
    await title('? Builds · Rouse');
  });
});

describe('the offer to be told', () => {
  test('comes after a message that began something long, moves nothing, and never comes again when it was declined', async () => {
    stage = await Stage.set(browser);
    const talk = await stage.session('Builds');
    const page = await stage.person();
    await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'default' }));
    await page.reload();
    await stage.look(page, talk);
    const offer = page.getByRole('region', { name: 'Notifications' });
    expect(await offer.count()).toBe(0);
    const room = () => page.getByRole('feed').boundingBox();
    await send(page, 'hold 600000');
    await page.getByRole('button', { name: 'Stop the turn' }).waitFor();
    const before = await room();
    await offer.waitFor();
    expect(await room()).toEqual(before);
    await offer.getByRole('button', { name: 'Not now' }).click();
    await offer.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => localStorage.getItem('rouse notify'))).toBe('off');
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  });
});

describe('a person who does not look', () => {
  test('is told of an answer, a question and a failure, once, by one tab of many', async () => {
    stage = await Stage.set(browser);
    const talk = await stage.session('Builds');
    const { page } = await toldPerson();
    const beside = await page.context().newPage();
    for (const tab of [page, beside]) await stage.look(tab, talk);
    await remembering(beside);
    await look(page, 'hidden');
    await talk.say('say Seen in the other tab.');
    await talk.ended(1);
    await talk.say('say NOTHING_TO_SAY');
    await talk.ended(2);
    // Behind everything that was before it.
    await sees(page, 'You', 'NOTHING_TO_SAY');
    await lookAway(page, beside);
    await talk.say('say It is **built**.');
    await talk.ended(3);
    await until('the answer is told', async () => (await bodies(page)).length > 0);
    await talk.say('call clarify {"question": "Which branch?"}');
    await until('the question is told', async () => (await bodies(page)).length > 1);
    await talk.host.client.stop(talk.id);
    await talk.say('fail no-credit');
    const told = await until('the failure is told', async () => {
      const now = await shown(page);
      return now.length > 2 && now;
    });
    expect(told.map(({ body }) => body).toSorted()).toEqual([
      'It is built.',
      expect.stringMatching(/^The turn failed: /),
      'Which branch?',
    ]);
    expect(new Set(told.map(({ title }) => title))).toEqual(new Set(['Builds']));
    expect(await shown(beside)).toEqual([]);
  });

  test('N12 is not told of a session that people want nothing of, nor after he has had enough', async () => {
    stage = await Stage.set(browser);
    const loud = await stage.session('Loud');
    const quiet = await stage.session('Quiet');
    await stage.host.client.changeSession(quiet.id, { people: 'off' });
    const { page } = await toldPerson();
    await lookAway(page);
    await quiet.say('say Nobody hears this.');
    await quiet.ended(1);
    await loud.say('say One.');
    await until('one is told', async () => (await bodies(page)).length > 0);
    await look(page, 'visible');
    await byPalette(page, 'Stop notifying me on this device');
    await page.getByText('Notifications are off for this device.').waitFor();
    await lookAway(page);
    await loud.say('say Two.');
    await loud.ended(2);
    await until('the page knows', async () => (await page.title()).startsWith('(3)'));
    expect(await bodies(page)).toEqual(['One.']);
  });
});

describe('a push', () => {
  const alert = (id: string): Omit<Alert, 'seq'> => ({
    title: 'Builds',
    body: '<b>It is built.</b>',
    tag: `${id}-7`,
    url: `/#/sessions/${id}`,
  });

  const push = (worker: Worker, sent: object): Promise<void> =>
    worker.evaluate(async (data) => {
      const event = new Event('push') as Event & { data: unknown; waitUntil: (work: Promise<void>) => void };
      let done: Promise<void> | undefined;
      Object.assign(event, { data: { json: () => data }, waitUntil: (work: Promise<void>) => (done = work) });
      self.dispatchEvent(event);
      await done;
    }, sent);

  const inWorker = (worker: Worker): Promise<readonly string[]> =>
    worker.evaluate(async () => {
      const { registration } = self as unknown as ServiceWorkerGlobalScopeLike;
      return (await registration.getNotifications()).map(({ body }) => body);
    });

  test('is shown as plain text when no page is open, the same one once, and not to who looks', async () => {
    stage = await Stage.set(browser);
    const { id } = await stage.session('Builds');
    const { page, worker } = await toldPerson();
    await push(worker, alert(id));
    expect(await inWorker(worker)).toEqual([]);
    await page.goto('about:blank');
    await push(worker, alert(id));
    await push(worker, alert(id));
    expect(await inWorker(worker)).toEqual(['<b>It is built.</b>']);
  });

  test('comes from the host once the page is closed, and was asked for by the page', async () => {
    const service = await PushService.open();
    stage = await Stage.set(browser, { config: { push: { allowLoopback: true, delayMs: 0 } } });
    const talk = await stage.session('Builds');
    const page = await stage.person({ permissions: ['notifications'] });
    // The browser's own push service is far away; what it would be asked, this one is asked.
    await page.exposeFunction('subscribeAt', (key: string) => service.subscribe('phone', key));
    await page.addInitScript(() => {
      const { subscribeAt } = globalThis as unknown as { subscribeAt: (key: unknown) => Promise<unknown> };
      const subscribe = async (options?: PushSubscriptionOptionsInit) => {
        const subscription = await subscribeAt(options?.applicationServerKey);
        return { toJSON: () => subscription };
      };
      Object.assign(PushManager.prototype, { subscribe });
    });
    await page.reload();
    await upToDate(page);
    await byPalette(page, 'Notify me on this device');
    await page.getByText('Notifications are on for this device, also when this page is closed.').waitFor();
    await page.goto('about:blank');
    await until('the host has noticed and tells', async () => {
      await talk.say('say Built.');
      await talk.ended(1);
      return service.bodies().includes('Built.');
    });
    expect(service.faults).toEqual([]);
  });

  test('that is clicked brings an open page to its session', async () => {
    stage = await Stage.set(browser);
    const { id } = await stage.session('Builds');
    const { page, worker } = await toldPerson();
    await worker.evaluate((url) => {
      const event = new Event('notificationclick');
      Object.assign(event, { notification: { data: url, close: () => undefined }, waitUntil: () => undefined });
      self.dispatchEvent(event);
    }, alert(id).url);
    await page.waitForURL(`${stage.url}/#/sessions/${id}`);
  });
});

type ServiceWorkerGlobalScopeLike = {
  readonly registration: { getNotifications(): Promise<readonly { readonly body: string }[]> };
};
