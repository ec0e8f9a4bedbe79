/** A browser that has signed in to the host of a bench. */
import { chromium, type Browser, type Page } from 'playwright-core';
import type { RouseField } from '../rouse.js';

const PROGRAM = '/usr/bin/chromium';

export async function withBrowser<Result>(work: (browser: Browser) => Promise<Result>): Promise<Result> {
  const browser = await chromium.launch({
    executablePath: PROGRAM,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

export async function visit(browser: Browser, field: RouseField): Promise<Page> {
  const { url } = await field.ask<{ url: string }>('POST', '/api/sign-in-links', {});
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText('up to date').waitFor();
  return page;
}
