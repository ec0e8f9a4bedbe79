/** Long sessions and long outputs: seen from their end at once, read backwards without a gap, and never in the way. */
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { launch, Stage } from '../support/browser.js';
import { fillJournal } from '../support/fill-journal.js';
import type { Talk } from '../support/talk.js';
import { until } from '../support/until.js';
import { rows, seen, sees } from './sight.js';
import { Witness } from './witness.js';

const MANY = 50_000;
const FEWER = 1_000;

let browser: Browser;
let stage: Stage;
let page: Page;
let long: Talk;
let shorter: Talk;

beforeAll(async () => {
  browser = await launch();
  stage = await Stage.set(browser, { config: { output: { quotaBytes: 200_000_000 } } });
  const talks = [await stage.session('Very long'), await stage.session('Long')] as const;
  await stage.host.stop();
  await fillJournal(stage.host.home, talks[0].id, MANY);
  await fillJournal(stage.host.home, talks[1].id, FEWER);
  await stage.again();
  [long, shorter] = [talks[0].on(stage.host), talks[1].on(stage.host)];
  page = await stage.person();
});

const feed = (): Locator => page.getByRole('feed');

/** The numbers of the entries that are drawn, in the order in which they stand. */
const numbers = async (): Promise<readonly number[]> =>
  (await seen(page)).flatMap(({ text }) => (/^entry \d+$/.test(text) ? [Number(text.slice(6))] : []));

const isWhole = (some: readonly number[]): boolean => some.every((each, index) => each === (some[0] ?? 0) + index);

/**
 * What somebody looks at, and how far down it stands, in every picture from now on. Asked behind each picture: within the
 * making of one, rows stand where they were thought to be before they were measured.
 */
async function watch(article: string): Promise<() => Promise<readonly number[]>> {
  await page.evaluate((words) => {
    const tops: number[] = [];
    Object.assign(globalThis, { tops });
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      const found = [...document.querySelectorAll('article')].find(({ textContent }) => textContent?.startsWith(words));
      if (found) tops.push(found.getBoundingClientRect().top);
    });
    port1.start();
    const look = (): void => {
      port2.postMessage(undefined);
      requestAnimationFrame(look);
    };
    look();
  }, article);
  return () => page.evaluate(() => (globalThis as unknown as { tops: number[] }).tops);
}

const spread = (tops: readonly number[]): number => Math.max(...tops) - Math.min(...tops);

/** Rows are measured when they are drawn, and what is below them moves then. */
const STILL_LOOKS = 8;

describe('a session', () => {
  test('of 50,000 entries opens at its end with few of them drawn, and is read backwards without a gap', async () => {
    await stage.look(page, long);
    await sees(page, 'Agent', `entry ${MANY - 1}`);
    expect(await rows(page).count()).toBeLessThan(100);
    await feed().hover();
    let before = await numbers();
    while ((before[0] ?? 0) > MANY - 900) {
      await page.mouse.wheel(0, -300);
      const now = await until('earlier ones are drawn', async () => {
        const drawn = await numbers();
        return (drawn[0] ?? MANY) < (before[0] ?? 0) && drawn;
      });
      expect(isWhole(now)).toBe(true);
      // What was seen last is still there: nothing was passed over.
      expect(now.at(-1)).toBeGreaterThanOrEqual(before[0] ?? 0);
      expect(now.length).toBeLessThan(100);
      before = now;
    }
  });

  test('is read up to its first entry by keys', async () => {
    await stage.look(page, shorter);
    await sees(page, 'Agent', `entry ${FEWER - 1}`);
    await until('the first entry is drawn', async () => {
      await feed().press('Home');
      return (await numbers())[0] === 0;
    });
    expect(isWhole(await numbers())).toBe(true);
  });

  test('leaves a reader where he is while a turn runs and ends, says that there is more, and brings him there', async () => {
    await stage.look(page, shorter);
    await feed().press('End');
    await sees(page, 'Agent', `entry ${FEWER - 1}`);
    await feed().press('PageUp');
    await feed().press('PageUp');
    await page.getByRole('button', { name: 'To the end' }).waitFor();
    const middle = await standing();
    const tops = await watch(middle);
    await shorter.say('say one\nhold 300\ncall terminal {"command": "echo two"}\nsay three');
    await page.getByRole('button', { name: 'New below' }).waitFor();
    await shorter.ended(1);
    await page.getByText('tokens in').waitFor();
    expect(spread(await tops())).toBeLessThanOrEqual(2);
    await page.getByRole('button', { name: 'New below' }).click();
    await sees(page, 'Agent', 'three');
    await page.getByRole('button', { name: 'New below' }).waitFor({ state: 'detached' });
  });

  test('does not move under a reader at its end when a turn ends', async () => {
    await stage.look(page, shorter);
    await feed().press('End');
    const over = (await shorter.kinds()).filter((kind) => kind === 'turnEnded').length;
    await shorter.say('say steady words\nhold 600');
    await sees(page, 'Agent', 'steady words');
    await page.getByRole('button', { name: 'Stop the turn' }).waitFor();
    const tops = await watch('steady words');
    const before = (await tops()).length;
    await shorter.ended(over + 1);
    await page.getByRole('button', { name: 'Stop the turn' }).waitFor({ state: 'detached' });
    await until('it was looked at after the end', async () => (await tops()).length > before + 5);
    expect(spread(await tops())).toBeLessThanOrEqual(2);
  });

  /** The words of the entry in the middle of the screen, once it has not moved for some frames. */
  async function standing(): Promise<string> {
    let last = '';
    let still = 0;
    return until('the screen stands still', async () => {
      const now = await feed().evaluate(async (scroller) => {
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        const { top, height, left, width } = scroller.getBoundingClientRect();
        const middle = document.elementFromPoint(left + width / 2, top + height / 2)?.closest('article');
        return `${scroller.scrollTop} ${middle?.getBoundingClientRect().top} ${middle?.textContent ?? ''}`;
      });
      still = now === last ? still + 1 : 0;
      last = now;
      return still >= STILL_LOOKS && /entry \d+$/.exec(now)?.[0];
    });
  }
});

describe('an output of 100 MB with colours', () => {
  test('is seen from its end, read backwards, and searched, and the page stays awake', async () => {
    const { client } = stage.host;
    const half = `yes "$(printf '\\033[32mgreen\\033[0m and \\033[1;31mred\\033[0m words of a line')" | head -c 50000000`;
    const { process } = await client.start({
      command: `${half}; printf '\\nNEEDLE here\\n'; ${half}; echo; echo the-very-end`,
    });
    await until('it has ended', async () => (await client.process(process.id)).process.state === 'ended');
    const witness = new Witness(page, stage.url);
    await page.goto(`${stage.url}/#/processes/${process.id}`);
    await witness.timeTasks();
    const screen = page.locator('.xterm-rows');
    const bar = page.locator('.output-bar');
    await screen.getByText('the-very-end').waitFor();
    await bar.getByText(/^99\.\d – 100\.\d of 100\.\d MB$/).waitFor();
    await page.getByRole('button', { name: 'Show earlier' }).click();
    await bar.getByText(/^97\.\d – 99\.\d of 100\.\d MB$/).waitFor();
    await screen.getByText('words of a line').first().waitFor();

    await page.getByRole('button', { name: 'Search in the output' }).click();
    await page.getByRole('searchbox', { name: 'Search in the output' }).fill('NEEDLE');
    const found = page.getByRole('list', { name: 'Matches' }).getByRole('button', { name: 'NEEDLE here' });
    await until('it is found', async () => {
      const on = page.getByRole('button', { name: 'Continue searching' });
      if (!(await found.isVisible()) && (await on.isVisible())) await on.click();
      return found.isVisible();
    });
    await found.click();
    await screen.getByText('NEEDLE').waitFor();
    await page.getByRole('button', { name: 'To the end' }).click();
    await screen.getByText('the-very-end').waitFor();
    expect(await witness.longestTask()).toBeLessThan(5_000);
  });
});
