import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { launch, Stage } from '../support/browser.js';
import { listen } from '../support/loopback.js';
import { routesOf } from '../support/routes.js';

/** For a browser every port of a machine is the same site: our cookie goes with whatever this one asks of us. */
describe('a page on another port of this machine', () => {
  let browser: Browser;
  let stage: Stage;
  let intruder: Page;
  const received: string[] = [];

  beforeAll(async () => {
    browser = await launch();
    stage = await Stage.set(browser);
    const server = createServer(({ headers }, response) => {
      received.push(headers.cookie ?? '');
      response.setHeader('content-type', 'text/html').end('<body>');
    });
    const url = await listen(server);
    const person = await stage.person();
    intruder = await person.context().newPage();
    await intruder.goto(url);
  });

  /** With what the host answers it, as the browser itself saw it. */
  async function answerTo(path: string, attempt: (url: string) => void): Promise<number> {
    const answered = intruder.waitForResponse((response) => response.url() === `${stage.url}${path}`);
    await intruder.evaluate(attempt, `${stage.url}${path}`);
    return (await answered).status();
  }

  test('reads nothing, although the cookie goes with it', async () => {
    // One who came without the cookie would be told that he is nobody: 401.
    expect(
      await answerTo('/api/me', (url) => {
        void fetch(url, { mode: 'no-cors', credentials: 'include' }).catch(() => undefined);
      }),
    ).toBe(403);
    expect(
      await answerTo('/api/sessions', (url) => {
        document.body.append(Object.assign(document.createElement('iframe'), { src: url }));
      }),
    ).toBe(403);
  });

  test('changes nothing, neither by a request that needs no leave nor by a form', async () => {
    expect(
      await answerTo('/api/sessions', (url) => {
        const init = { method: 'POST', body: '{}', mode: 'no-cors', credentials: 'include' } as const;
        void fetch(url, init).catch(() => undefined);
      }),
    ).toBe(403);
    expect(
      await answerTo('/api/sign-out', (url) => {
        const form = Object.assign(document.createElement('form'), { action: url, method: 'POST', target: 'frame' });
        document.body.append(Object.assign(document.createElement('iframe'), { name: 'frame' }), form);
        form.submit();
      }),
    ).toBe(403);
    expect(await stage.host.client.sessions()).toEqual([]);
  });

  test('receives the cookie, and the cookie alone opens no route', async () => {
    const cookie = received.find((header) => /rouse-\d+=[\w-]{43}/.test(header));
    if (cookie === undefined) throw new Error('The other port did not receive the cookie.');
    const { host } = stage;
    const running = (await host.client.start({ command: 'sleep 300' })).process.id;
    const guesses: Record<string, string>[] = [
      {},
      { 'rouse-key': '' },
      { 'rouse-key': 'A'.repeat(43) },
      { 'rouse-key': /=([\w-]{43})/.exec(cookie)?.[1] ?? '' },
      { 'rouse-key': cookie },
    ];
    for (const { method, path } of (await routesOf(host, running)).filter(({ open = false }) => !open))
      for (const guess of guesses) {
        const response = await fetch(`${host.url}${path}`, {
          method,
          headers: {
            cookie,
            origin: host.url,
            'sec-fetch-site': 'same-origin',
            'content-type': method === 'PUT' ? 'application/octet-stream' : 'application/json',
            ...guess,
          },
          ...(method !== 'GET' && { body: '{}' }),
        });
        await response.body?.cancel();
        expect(response.status, `${method} ${path} with ${JSON.stringify(guess)}`).toBe(401);
      }
    expect((await host.client.process(running)).process.state).toBe('running');
  });

  test('does not get the page into a frame', async () => {
    await answerTo('/', (url) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src: url, name: 'framed' }));
    });
    await expect.poll(() => intruder.frame('framed')?.url()).toMatch(/^chrome-error:/);
  });
});
