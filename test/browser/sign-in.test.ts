import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { launch, Stage, upToDate } from '../support/browser.js';

describe('signing in', () => {
  let browser: Browser;
  let stage: Stage;

  beforeAll(async () => {
    browser = await launch();
    stage = await Stage.set(browser);
  });

  test('the link lets a browser in once, leaves the address at once, and a second browser not', async () => {
    const link = await stage.signInLink();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(link);
    await upToDate(page);
    expect(page.url()).not.toContain('sign-in');
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await other.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
    await other.getByText('This link was used already or is too old').waitFor();
    await other.context().close();
    await context.close();
  });

  test('the cookie is out of reach of scripts, and outlives the host', async () => {
    const page = await stage.person();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await stage.crash();
    await page.reload();
    await upToDate(page);
  });

  test('whoever is signed out sees so within a second, and comes back by pasting a link', async () => {
    const page = await stage.person();
    await stage.host.client.signOut({ everywhere: true });
    await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor({ timeout: 10_000 });
    await page.getByLabel('Or paste the link').fill(await stage.signInLink());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await upToDate(page);
  });

  test('a browser of an earlier version, which has a cookie and no key, is asked to sign in again', async () => {
    const page = await stage.person();
    await page.evaluate(() => localStorage.clear());
    await page.close();
    const [one, other] = [await page.context().newPage(), await page.context().newPage()];
    for (const tab of [one, other]) {
      await tab.goto(stage.url);
      await tab.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
    }
    const link = await stage.signInLink();
    const third = await page.context().newPage();
    await third.goto(link);
    await Promise.all([third, one, other].map(upToDate));
  });

  test('a second link in the same browser leaves its other tabs signed in, over a cut of the line too', async () => {
    const page = await stage.person();
    const second = await page.context().newPage();
    await second.goto(await stage.signInLink());
    await upToDate(second);
    await stage.crash();
    // Only a line that was opened since then brings it.
    await stage.session('After the cut');
    for (const tab of [page, second]) await tab.getByText('After the cut').first().waitFor();
  });

  test('no page of another origin can be shown it in a frame, and no script but ours runs', async () => {
    const page = await stage.person();
    const { headers } = await page.request.get(stage.url).then(async (response) => ({ headers: response.headers() }));
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      try {
        script.textContent = 'globalThis.broken = true';
        document.body.append(script);
      } catch {
        // A policy of the page forbids even to write it.
      }
      return 'broken' in globalThis;
    });
    expect(ran).toBe(false);
  });
});
