/** What a person does with the page, by keys and by pointer, and what becomes of it. */
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { launch, Stage, upToDate } from '../support/browser.js';
import { Receiver } from '../support/receiver.js';
import type { Talk } from '../support/talk.js';
import { until } from '../support/until.js';
import { row, sees, send, times } from './sight.js';

let browser: Browser;
let stage: Stage;
let page: Page;
let receiver: Receiver;

beforeAll(async () => {
  browser = await launch();
  receiver = await Receiver.open();
  stage = await Stage.set(browser, {
    config: { approval: 'ask', delivery: { attempts: 1, timeoutMs: 2_000, firstRetryMs: 10 } },
  });
  page = await stage.person();
});

const field = (): Locator => page.getByRole('textbox', { name: 'Message' });

const draft = (): Promise<string> => field().inputValue();

const opened = async (title: string): Promise<Talk> => {
  const talk = await stage.session(title);
  await stage.look(page, talk);
  await page.getByRole('feed').waitFor();
  return talk;
};

const busy = async (): Promise<void> => {
  await send(page, 'hold 60000');
  await page.getByRole('button', { name: 'Stop the turn' }).waitFor();
};

describe('writing', () => {
  test('Enter sends, Shift+Enter does not, and what was said comes back by ArrowUp', async () => {
    const talk = await opened('Writing');
    await field().pressSequentially('say one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('say two');
    expect(await draft()).toBe('say one\nsay two');
    await page.keyboard.press('Enter');
    expect(await draft()).toBe('');
    await talk.ended(1);
    await send(page, 'say three');
    await talk.ended(2);
    await sees(page, 'Agent', 'three');
    await field().press('ArrowUp');
    expect(await draft()).toBe('say three');
    await page.keyboard.press('ArrowUp');
    expect(await draft()).toBe('say one\nsay two');
    await page.keyboard.press('ArrowDown');
    expect(await draft()).toBe('say three');
  });

  test('a draft stays with its session over a switch and a reload', async () => {
    const other = await stage.session('Other draft');
    const talk = await opened('A draft');
    await field().fill('half a sen');
    await page.getByRole('link', { name: 'Other draft' }).click();
    await page.getByRole('button', { name: 'Other draft' }).waitFor();
    expect(await draft()).toBe('');
    await field().fill('something else');
    await page.getByRole('link', { name: 'A draft' }).click();
    await page.getByRole('button', { name: 'A draft' }).waitFor();
    expect(await draft()).toBe('half a sen');
    await page.reload();
    await upToDate(page);
    expect(await draft()).toBe('half a sen');
    await stage.look(page, other);
    expect(await draft()).toBe('something else');
    expect(await talk.entries()).toEqual([]);
  });

  test('nothing is lost that is typed right behind the key that opens the palette or a session', async () => {
    await stage.session('Quick fingers');
    await opened('Slow start');
    await field().focus();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go to quick');
    await page.keyboard.press('Enter');
    await page.keyboard.type('at once');
    await page.getByRole('button', { name: 'Quick fingers' }).waitFor();
    expect(await draft()).toBe('at once');
  });

  test('a message is neither lost nor said twice when the line is cut, before the answer or before the request', async () => {
    const talk = await opened('Cut off');
    await page.route(
      '**/messages',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await send(page, 'say answered to nobody');
    await page.getByRole('list', { name: 'Unsent messages' }).getByText('not sent').waitFor();
    stage.front.cut();
    await page.getByText('reconnecting').first().waitFor();
    await send(page, 'say into the void');
    await page.getByText('say into the void').waitFor();
    stage.front.mend();
    await upToDate(page);
    await talk.ended(2);
    for (const words of ['answered to nobody', 'into the void']) {
      await sees(page, 'Agent', words);
      expect(await times(page, 'You', words)).toBe(1);
    }
    expect((await talk.kinds()).filter((kind) => kind === 'message')).toHaveLength(2);
    await page.getByRole('list', { name: 'Unsent messages' }).waitFor({ state: 'detached' });
  });

  test('a file that is chosen or dropped becomes a path that the agent can read', async () => {
    const talk = await opened('Files');
    await page
      .getByLabel('Files', { exact: true })
      .setInputFiles({ name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('chosen words') });
    await until('its path is in the draft', async () => (await draft()).includes('chosen.txt'));
    expect(readFileSync((await draft()).trim(), 'utf8')).toBe('chosen words');
    await field().fill('');
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['dropped words'], 'dropped.txt'));
      return data;
    });
    await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });
    await until('its path is in the draft', async () => (await draft()).includes('dropped.txt'));
    await send(page, `call read_file ${JSON.stringify({ path: (await draft()).trim() })}`);
    expect((await talk.comes('toolResult')).result).toContain('dropped words');
  });
});

describe('while a turn runs', () => {
  test('messages wait in sight, are changed and withdrawn, and the turn is stopped', async () => {
    const talk = await opened('A queue');
    await busy();
    await send(page, 'say first');
    await send(page, 'say second');
    const waiting = page.getByRole('list', { name: 'Waiting messages' }).getByRole('listitem');
    await waiting.filter({ hasText: 'say second' }).waitFor();
    await waiting.filter({ hasText: 'say first' }).getByRole('button', { name: 'Withdraw the message' }).click();
    await waiting.filter({ hasText: 'say first' }).waitFor({ state: 'detached' });
    await waiting.getByRole('button', { name: 'Edit the message' }).click();
    await page.getByRole('textbox', { name: 'Text of the waiting message' }).fill('say changed');
    await page.getByRole('button', { name: 'Save' }).click();
    await waiting.filter({ hasText: 'say changed' }).waitFor();
    await page.getByRole('button', { name: 'Stop the turn' }).click();
    await sees(page, 'Turn', 'Stopped by a person');
    await sees(page, 'Agent', 'changed');
    await talk.ended(2);
    expect(await talk.words()).not.toContain('first');
  });

  test('a message steers or interrupts as was chosen', async () => {
    const talk = await opened('Modes');
    await busy();
    await page.getByText('Steer', { exact: true }).click();
    await send(page, 'say steered');
    await page.getByRole('list', { name: 'Waiting messages' }).getByText('steer', { exact: true }).waitFor();
    await page.getByText('Interrupt', { exact: true }).click();
    await send(page, 'say instead');
    await sees(page, 'Turn', 'Interrupted by a message');
    await sees(page, 'Agent', 'instead');
    await talk.ended(2);
  });

  test('a command that needs consent runs when it is allowed, and not when it is denied', async () => {
    const talk = await opened('Consent');
    await send(page, 'call terminal {"command": "echo it-ran"}');
    await row(page, 'Approval', 'echo it-ran').getByRole('button', { name: 'Allow once' }).click();
    await sees(page, 'Approval', 'Answered: Allow once');
    expect((await talk.comes('toolResult')).result).toContain('it-ran');
    await talk.ended(1);
    await send(page, 'call terminal {"command": "echo never-ran"}');
    await row(page, 'Approval', 'never-ran').getByRole('button', { name: 'Deny' }).click();
    await sees(page, 'Approval', 'Answered: Deny');
    expect(await talk.comes('toolResult', 2)).toMatchObject({ failed: true });
    await talk.ended(2);
  });
});

describe('finding the way', () => {
  test('the keys are listed under ?, work where nobody types, and are letters where somebody does', async () => {
    await opened('Keys here');
    await field().fill('');
    await field().pressSequentially('really? np');
    expect(await draft()).toBe('really? np');
    await page.getByRole('feed').focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    for (const words of ['Commands', 'New session', 'Stop the turn', 'Start a process'])
      await keys.getByText(words, { exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Keys here' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Start something long' }).waitFor();
  });

  test('a session is renamed, found, archived and taken back, and gets another model', async () => {
    const talk = await opened('An old name');
    const list = page.getByRole('navigation', { name: 'Sessions' });
    await page.getByRole('button', { name: 'An old name' }).click();
    await page.keyboard.type('A new name');
    await page.keyboard.press('Enter');
    await list.getByRole('link', { name: 'A new name' }).waitFor();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('rehearsal');
    await until('the host knows', async () => (await stage.host.client.session(talk.id)).session.model === 'rehearsal');

    await list.getByRole('searchbox').fill('new NAME');
    await until('it is the only one', async () => (await list.locator('.session-row').count()) === 1);
    await list.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await list.getByRole('link', { name: 'A new name' }).waitFor({ state: 'detached' });
    await list.getByRole('button', { name: 'Archived' }).click();
    await list.getByRole('link', { name: 'A new name' }).click();
    await page.locator('.session-status').getByRole('button', { name: 'Unarchive' }).click();
    await list.getByRole('button', { name: 'Back to open sessions' }).click();
    await list.getByRole('link', { name: 'A new name' }).waitFor();
  });
});

describe('processes', () => {
  const state = (words: string): Promise<void> =>
    page.locator('.detail-head .process-state').getByText(words, { exact: true }).waitFor();

  /** By the window; the command is in a terminal when it is wanted so. */
  const start = async (command: string, { folder = '', pty = false } = {}): Promise<void> => {
    await page.goto(`${stage.url}/#/processes`);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByLabel('Command').fill(command);
    await page.getByLabel('Folder').fill(folder);
    await page.getByLabel('In a terminal').setChecked(pty);
    await page.getByRole('button', { name: 'Start', exact: true }).last().click();
  };

  test('one that cannot be started says why, in the words of the host, and what was written stays', async () => {
    await start('true', { folder: '/nowhere' });
    await page.getByRole('dialog').getByRole('alert').getByText('/nowhere').waitFor();
    expect(await page.getByLabel('Command').inputValue()).toBe('true');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('one with a terminal takes keys, follows its size, and hears Ctrl+C', async () => {
    await start(`trap 'exit 5' INT; while read -r line; do echo "got $line, $(stty size)"; done`, { pty: true });
    const screen = page.locator('.xterm-rows');
    const answer = async (word: string): Promise<string> => {
      await page.keyboard.type(`${word}\n`);
      const line = screen.getByText(`got ${word}`);
      await line.waitFor();
      return (await line.textContent())?.split(',').at(-1)?.trim() ?? '';
    };
    await page.locator('.xterm textarea').focus();
    const before = await answer('first');
    await page.setViewportSize({ width: 1000, height: 600 });
    let asked = 0;
    await until('it has another size', async () => (await answer(`again${asked++}`)) !== before);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.keyboard.press('Control+c');
    await state('exit 5');
  });

  test('one is killed with the signal that was chosen, and its output is downloaded', async () => {
    await start(`echo kept words; trap 'exit 7' USR1; while true; do sleep 0.1; done`);
    await page.locator('.xterm-rows').getByText('kept words').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the output' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toBe('kept words\n');
    await page.getByRole('button', { name: 'Kill …' }).click();
    await page.getByRole('combobox', { name: 'Signal' }).selectOption('SIGUSR1');
    await page.getByRole('button', { name: 'Send SIGUSR1' }).click();
    await state('exit 7');
  });

  test('a dead notice says why, is tried again, and another one is let go', async () => {
    const { client } = stage.host;
    const { session } = await client.createSession({ title: 'Deaf', webhook: receiver.webhook });
    receiver.reply = () => 500;
    for (const text of ['try me again', 'let me go']) await client.notify(session.id, text);
    await page.goto(`${stage.url}/#/notices`);
    const notice = (text: string): Locator => page.locator('.notice-row').filter({ hasText: text });
    await notice('try me again').getByText('dead', { exact: true }).waitFor();
    await notice('try me again').getByRole('button', { name: 'Why?' }).click();
    await notice('try me again').locator('.notice-why').getByText('500').waitFor();
    receiver.reply = () => 200;
    await notice('try me again').getByRole('button', { name: 'Retry' }).click();
    await notice('try me again').getByText('delivered', { exact: true }).waitFor();
    await notice('let me go').getByRole('button', { name: 'Dismiss' }).click();
    await notice('let me go').getByRole('button', { name: 'Dismiss' }).waitFor({ state: 'detached' });
    expect(await notice('let me go').getAttribute('data-state')).toBe('suppressed');
  });
});
