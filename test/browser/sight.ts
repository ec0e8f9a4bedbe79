/** What a person sees of a conversation: every row by its name and its words, in order. */
import type { Locator, Page } from 'playwright-core';
import { until } from '../support/until.js';

export type Seen = { readonly name: string; readonly text: string };

export const rows = (page: Page): Locator => page.getByRole('feed', { name: 'Conversation' }).locator('article');

export const seen = (page: Page): Promise<readonly Seen[]> =>
  rows(page).evaluateAll((articles) =>
    articles.map((article) => ({
      name: article.getAttribute('aria-label') ?? '',
      text: article.textContent?.replaceAll(/\s+/g, ' ').trim() ?? '',
    })),
  );

export const row = (page: Page, name: string, text: string): Locator =>
  page.getByRole('article', { name, exact: true }).filter({ hasText: text });

/** Over when a row of this name with this text is on the screen. */
export const sees = (page: Page, name: string, text: string, timeout = 60_000): Promise<void> =>
  row(page, name, text).first().waitFor({ timeout });

/** How often it is on the screen. */
export const times = (page: Page, name: string, text: string): Promise<number> => row(page, name, text).count();

export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

/** What is seen when nothing moves any more. Ages and clocks are no part of it. */
export async function settled(page: Page): Promise<readonly Seen[]> {
  let before = '';
  return until('the screen stands still', async () => {
    const now = await seen(page);
    const same = JSON.stringify(now) === before && now.length > 0;
    before = JSON.stringify(now);
    return same && now;
  });
}
