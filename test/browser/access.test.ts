/** For whoever cannot see, cannot point, or sees little: every view, in both themes, at a desk and on a phone. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { EntryBody } from '../../src/contract/journal.js';
import { launch, Stage } from '../support/browser.js';
import { writeJournal } from '../support/fill-journal.js';
import type { Talk } from '../support/talk.js';
import { until } from '../support/until.js';
import { row, sees } from './sight.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const MARKDOWN = `# One\n\n## Two\n\nSome *words* with \`code\`, ~~gone~~ and a [link](https://good.invalid).

- one\n  1. inner\n- [x] done\n- [ ] open\n\n> quoted

| a | b |\n|---|--:|\n| 1 | 2 |

\`\`\`ts\n// why\nexport const answer: number = 42; // ${'long '.repeat(60)}\nconst text = 'words' + fn(null);\n\`\`\``;

/** What the rehearsal model never does. */
const OTHERS: readonly EntryBody[] = [
  { kind: 'turnBegan', generation: 1, by: 'person', model: 'rehearsal' },
  { kind: 'reasoning', text: `Let me think about ${'many things '.repeat(30)}` },
  { kind: 'text', text: MARKDOWN },
  { kind: 'toolCall', call: 'c1', tool: 'read_file', input: { path: '/nowhere' } },
  { kind: 'toolResult', call: 'c1', tool: 'read_file', result: 'There is no such file.', failed: true },
  { kind: 'turnEnded', reason: 'failed', why: 'The provider did not answer.' },
  { kind: 'note', about: 'resumed', text: 'It goes on where it was.' },
  { kind: 'compaction', upTo: 1, summary: 'A summary.' },
];

let browser: Browser;
let stage: Stage;
let talk: Talk;
let terminal: string;

beforeAll(async () => {
  browser = await launch();
  stage = await Stage.set(browser, { config: { delivery: { attempts: 1, firstRetryMs: 10, timeoutMs: 500 } } });
  talk = await stage.session('Every kind of row');
  await stage.host.stop();
  await writeJournal(stage.host.home, talk.id, OTHERS);
  await stage.again();
  talk = talk.on(stage.host);
  await fillWithProcesses();
  await talk.say('run `echo one; exit 3` and tell me');
  await talk.ended(3);
  await talk.say('call terminal {"command": "rm -rf /nowhere"}');
  await talk.comes('question');
});

async function fillWithProcesses(): Promise<void> {
  const { client } = stage.host;
  const deaf = await client.createSession({ title: 'Deaf', agent: 'none' });
  await client.changeSession(deaf.session.id, { webhook: { url: 'http://127.0.0.1:1/', secret: 'a'.repeat(32) } });
  const kinds = [
    { command: 'sleep 300', name: 'a name' },
    { command: 'cat', session: talk.id, watchPatterns: ['READY'] },
    { command: `echo ${'long '.repeat(60)}; exit 0` },
    { command: 'exit 3', session: deaf.session.id, notifyOnComplete: true },
    { command: 'kill -9 $$' },
  ];
  for (const kind of [...kinds, ...kinds, ...kinds, ...kinds]) await client.start(kind);
  const { process } = await client.start({ command: `printf '\\033[31mred\\033[0m plain\\n'; exec cat`, pty: true });
  terminal = process.id;
  await until('a notice is dead', async () => (await client.notices({ state: 'dead' })).length === 4);
}

/** Every rule that is broken, and where. */
async function broken(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async (rules) => {
    type Violation = {
      readonly id: string;
      readonly nodes: readonly { readonly target: unknown; readonly failureSummary: string }[];
    };
    type Axe = { run: (options: object) => Promise<{ readonly violations: readonly Violation[] }> };
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run({
      runOnly: rules,
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${String(target)}: ${failureSummary.replaceAll('\n', ' ')}`),
    );
  }, RULES);
}

const PHONE_PX = 390;

const goTo = (page: Page, address: string): Promise<unknown> => page.goto(`${stage.url}/#/${address}`);

const VIEWS: Record<string, (page: Page) => Promise<unknown>> = {
  home: async (page) => {
    await goTo(page, '');
    await page.getByRole('heading', { name: 'Start something long' }).waitFor();
    // Looked at by itself later.
    if (page.viewportSize()?.width !== PHONE_PX)
      await page.getByRole('button', { name: 'Close the processes' }).click();
  },
  conversation: async (page) => {
    await stage.look(page, talk);
    await sees(page, 'Approval', 'rm -rf /nowhere');
    await row(page, 'Woken', 'exit 3').getByRole('button', { name: 'Why was I woken?' }).click();
    await page.getByRole('list', { name: 'Why the agent was woken' }).waitFor();
  },
  'the beginning of it': async (page) => {
    await page.getByRole('feed').press('Home');
    for (const name of ['Thought', 'read_file']) {
      const line = page.getByRole('button', { name });
      await line.click();
      expect(await line.getAttribute('aria-expanded')).toBe('true');
    }
    await sees(page, 'Agent', 'export const answer');
  },
  processes: async (page) => {
    await goTo(page, 'processes');
    await page.getByRole('link', { name: 'a name' }).first().waitFor();
  },
  'a process with a terminal': async (page) => {
    await goTo(page, `processes/${terminal}`);
    await page.locator('.xterm-rows').getByText('plain').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Kill …' }).click();
    await page.getByRole('button', { name: 'Search in the output' }).click();
  },
  notices: async (page) => {
    await goTo(page, 'notices');
    await page.getByRole('button', { name: 'Why?' }).first().click();
    await page.locator('.notice-why').waitFor();
  },
  'the window to start a process': async (page) => {
    await page.keyboard.press('Escape');
    await goTo(page, 'processes');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('dialog', { name: 'Start a process' }).waitFor();
  },
  palette: async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
  },
  keys: async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('heading').first().click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  },
  'sign-in': async (page) => {
    await page.context().clearCookies();
    await page.reload();
    await page.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
  },
};

const CASES = [
  { where: 'at a desk by day', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { where: 'on a phone by night', colorScheme: 'dark', viewport: { width: PHONE_PX, height: 844 } },
] as const;

test.each(CASES)('no view breaks a rule of WCAG 2.2 AA, nor is wider than its screen, $where', async (options) => {
  const page = await stage.person(options);
  const found: Record<string, readonly string[]> = {};
  for (const [name, show] of Object.entries(VIEWS)) {
    await show(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    const wide = width > options.viewport.width ? [`it is ${width} px wide`] : [];
    const faults = [...wide, ...(await broken(page))];
    if (faults.length > 0) found[name] = faults;
  }
  expect(found).toEqual({});
});

test('the keys lead from the link past the list to the composer, and the link leads there at once', async () => {
  const page = await stage.person();
  await stage.look(page, talk);
  await sees(page, 'Approval', 'rm -rf /nowhere');
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
  });
  const passed: string[] = [];
  for (let steps = 0; passed.at(-1) !== 'Message' && steps < 80; steps++) {
    await page.keyboard.press('Tab');
    passed.push(
      await page.evaluate(() => {
        const focused = document.activeElement as HTMLElement;
        const label = 'labels' in focused ? (focused as HTMLInputElement).labels?.[0]?.textContent : undefined;
        return (focused.ariaLabel ?? label ?? focused.textContent ?? '').trim();
      }),
    );
  }
  const at = (name: string): number => passed.findIndex((each) => each.startsWith(name));
  expect(passed[0]).toBe('Skip to the conversation');
  expect(passed.at(-1)).toBe('Message');
  const order = [at('Search sessions'), at('Every kind of row'), at('Notices'), at('Conversation'), at('Allow once')];
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order[0]).toBeGreaterThan(0);

  await page.getByRole('link', { name: 'Skip to the conversation' }).focus();
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
});

test.each([
  { wish: 'reduce', moves: false },
  { wish: 'no-preference', moves: true },
] as const)('what works moves only for those who do not mind ($wish)', async ({ wish, moves }) => {
  const page = await stage.person({ reducedMotion: wish });
  await goTo(page, 'processes');
  await page.locator('.process-row .pulse').first().waitFor();
  const moving = await page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  );
  expect(moving > 0).toBe(moves);
});
