/** Sees everything that a page should not do, whoever made it. */
import type { Page } from 'playwright-core';

export class Witness {
  readonly #seen: string[] = [];

  constructor(
    readonly page: Page,
    origin: string,
  ) {
    page.on('dialog', (dialog) => {
      this.#seen.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const url = request.url();
      if (new URL(url).origin !== origin) this.#seen.push(`request: ${url}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') this.#seen.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.#seen.push(`error: ${error.message}`));
    page.on('popup', (popup) => this.#seen.push(`popup: ${popup.url()}`));
  }

  forget(): void {
    this.#seen.length = 0;
  }

  /** All of it since it was last forgotten: what ran, and what stands in the page that is not ours. */
  async saw(): Promise<readonly string[]> {
    const traces = await this.page.evaluate(() => [
      ...('broken' in globalThis ? ['a script ran'] : []),
      ...[
        ...document.querySelectorAll(
          '.prose :is(script, img, svg, iframe, style, form), [onerror], [onload], base, iframe',
        ),
      ].map(({ outerHTML }) => outerHTML),
    ]);
    return [...traces, ...this.#seen];
  }

  /** From here on, how long the page was deaf at a time. */
  async timeTasks(): Promise<void> {
    await this.page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(globalThis, { tasks });
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        entryTypes: ['longtask'],
      });
    });
  }

  longestTask(): Promise<number> {
    return this.page.evaluate(() => Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks));
  }
}
