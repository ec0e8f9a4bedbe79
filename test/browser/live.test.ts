/** What users of comparable pages have lived with, and what cannot happen here. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test, type TestContext } from 'vitest';
import { launch, Stage, upToDate } from '../support/browser.js';
import { newFolder } from '../support/clean-up.js';
import { fillJournal } from '../support/fill-journal.js';
import type { HostOptions } from '../support/host.js';
import { rows, seen, sees, send, settled, times } from './sight.js';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

/** Each test has a stage of its own, and some wait long for little: they run beside each other. */
async function set({ onTestFinished }: TestContext, options: HostOptions = {}): Promise<Stage> {
  const stage = await Stage.set(browser, options);
  onTestFinished(() => stage.strike());
  return stage;
}

/** Another tab of the same browser. */
const tabBeside = async (stage: Stage, page: Page, id: string): Promise<Page> => {
  const tab = await page.context().newPage();
  await stage.look(tab, { id });
  return tab;
};

/** A line that keeps its turn busy until the test opens the gate, however slow the machine is. */
function gated(): { readonly line: string; readonly open: () => void } {
  const gate = join(newFolder(), 'gate');
  const command = `until test -e ${gate}; do sleep 0.05; done`;
  return { line: `call terminal ${JSON.stringify({ command })}`, open: () => writeFileSync(gate, '') };
}

/** A command in the foreground may take as long as a test. */
const PATIENT = { config: { turns: { foregroundMs: 120_000 } } };

describe.concurrent('every turn is live', () => {
  test('L1 a turn that another tab, a program or a wake began is seen as it happens', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Live');
    const writer = await stage.person();
    await stage.look(writer, talk);
    const beside = await tabBeside(stage, writer, talk.id);
    const elsewhere = await stage.person();
    await stage.look(elsewhere, talk);

    await send(writer, 'hold 20000\nsay from the tab');
    for (const page of [writer, beside, elsewhere]) {
      await sees(page, 'You', 'from the tab');
      await page.getByRole('button', { name: 'Stop the turn' }).waitFor();
    }
    await beside.getByRole('button', { name: 'Stop the turn' }).click();
    for (const page of [writer, beside, elsewhere]) await sees(page, 'Turn', 'stopped');

    await talk.say('run `echo done; exit 4` and tell me');
    for (const page of [writer, beside, elsewhere]) {
      await sees(page, 'Woken', 'exit 4');
      await sees(page, 'Agent', 'woken by completion');
    }
  });

  test('L3 the cause of a wake is on the screen before its effect', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Cause');
    const page = await stage.person();
    await stage.look(page, talk);
    // Every state that the screen was ever in.
    await page.evaluate(() => {
      const states: string[][] = [];
      Object.assign(globalThis, { states });
      new MutationObserver(() =>
        states.push([...document.querySelectorAll('article')].map((row) => `${row.ariaLabel}: ${row.textContent}`)),
      ).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await send(page, 'run `exit 3` and tell me');
    await sees(page, 'Agent', 'woken by completion');
    const states = await page.evaluate(() => (globalThis as unknown as { states: string[][] }).states);
    const answered = states.filter((state) => state.some((row) => row.includes('woken by')));
    expect(answered.length).toBeGreaterThan(0);
    for (const state of answered)
      expect(state.findIndex((row) => row.startsWith('Woken'))).toBeLessThan(
        state.findIndex((row) => row.includes('woken by')),
      );
    expect(answered.every((state) => state.some((row) => row.startsWith('Woken')))).toBe(true);
  });

  test('L4 what is seen live, after a reload, and by one who comes later is the same, in the same order', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Order');
    const page = await stage.person();
    await stage.look(page, talk);
    await send(page, 'call terminal {"command": "echo one"}\nsay first');
    await sees(page, 'Agent', 'first');
    await send(page, 'run `echo two; exit 2` and tell me');
    await sees(page, 'Agent', 'woken by completion');
    await talk.ended(3);
    const live = await settled(page);
    await page.reload();
    await upToDate(page);
    expect(await settled(page)).toEqual(live);
    const later = await stage.person();
    await stage.look(later, talk);
    expect(await settled(later)).toEqual(live);
    expect(live.map(({ name }) => name)).toEqual([
      'You',
      'Tool terminal',
      'Agent',
      'Turn',
      'You',
      'Tool terminal',
      'Agent',
      'Turn',
      'Woken',
      'Agent',
      'Turn',
    ]);
  });

  test('L2 a tab that comes in the middle of a wake sees it from its first entry, and its words once', async (context) => {
    const stage = await set(context, PATIENT);
    const gate = gated();
    const talk = await stage.session('Middle');
    const page = await stage.person();
    await stage.look(page, talk);
    await send(page, `on-wake say one two three four\non-wake ${gate.line}\nrun \`exit 0\` and tell me`);
    await sees(page, 'Woken', 'exit 0');
    await page.getByRole('button', { name: 'Stop the turn' }).waitFor();
    const late = await tabBeside(stage, page, talk.id);
    await sees(late, 'Woken', 'exit 0');
    await late.getByRole('button', { name: 'Stop the turn' }).waitFor();
    gate.open();
    await talk.ended(2, 60_000);
    for (const tab of [page, late])
      await tab.getByRole('button', { name: 'Stop the turn' }).waitFor({ state: 'hidden' });
    const [a, b] = [await settled(page), await settled(late)];
    expect(b).toEqual(a);
  });
});

describe('nothing is lost', () => {
  test('P12 a wake that fell into a crash of the host comes to the open page without a reload', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Crash');
    const page = await stage.person();
    await stage.look(page, talk);
    await send(page, 'run `sleep 1; echo survived; exit 5` and tell me');
    await sees(page, 'Turn', 'tokens');
    await stage.host.kill();
    await page.getByText('reconnecting').waitFor();
    await stage.again();
    await sees(page, 'Woken', 'exit 5');
    await sees(page, 'Agent', 'woken by completion');
    await talk.on(stage.host).ended(2);
    await upToDate(page);
    expect(await times(page, 'Woken', 'exit 5')).toBe(1);
  });

  test('R5 P20 an approval that waits over a crash stays live, and shows the exact command', async (context) => {
    const stage = await set(context, { config: { approval: 'ask' } });
    const talk = await stage.session('Approval');
    const page = await stage.person();
    await stage.look(page, talk);
    const secret = `sk-ant-api03-${'a'.repeat(48)}`;
    const command = `echo ran ${secret} \u202e`;
    await send(page, `call terminal ${JSON.stringify({ command })}\nsay done`);
    await sees(page, 'Approval', `echo ran ${secret} ‹U+202E›`);
    await stage.host.kill();
    await page.getByText('reconnecting').waitFor();
    await stage.again();
    await upToDate(page);
    await page.reload();
    await sees(page, 'Approval', `echo ran ${secret} ‹U+202E›`);
    await page.getByRole('button', { name: 'Allow once' }).click();
    await sees(page, 'Agent', 'done');
    const next = talk.on(stage.host);
    await next.ended(1);
    expect(await next.comes('answer')).toMatchObject({ text: 'yes', via: { kind: 'browser' } });
    expect((await next.entries()).filter(({ kind }) => kind === 'toolResult')).toHaveLength(1);
  });

  test('W2 later matches of a process are seen like the first', async (context) => {
    const stage = await set(context, { config: { watch: { cooldownMs: 100 } } });
    const talk = await stage.session('Matches');
    const page = await stage.person();
    await stage.look(page, talk);
    const { process } = await stage.host.client.start({
      command: 'while read -r line; do echo "READY $line"; done',
      session: talk.id,
      watchPatterns: ['READY'],
    });
    for (const number of [1, 2, 3, 4]) {
      await stage.host.client.write(process.id, `number-${number}`, { submit: true });
      await sees(page, 'Woken', `READY number-${number}`);
      await talk.ended(number);
    }
  });

  test('N9 every notice of a burst is seen, the middle one too', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Burst');
    const page = await stage.person();
    await stage.look(page, talk);
    const words = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
    await Promise.all(words.map((word) => stage.host.client.notify(talk.id, `burst ${word}`)));
    for (const word of words) await sees(page, 'Woken', `burst ${word}`);
    for (const word of words) expect(await times(page, 'Woken', `burst ${word}`)).toBe(1);
  });

  test('L2 a page that was away goes on by its number alone, over more entries than any buffer holds', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Away');
    const page = await stage.person();
    await stage.look(page, talk);
    await send(page, 'say before');
    await sees(page, 'Agent', 'before');
    await talk.ended(1);
    // Nothing that a host keeps in memory is left: neither its events nor how long ago they were.
    await stage.host.stop();
    await fillJournal(stage.host.home, talk.id, 4_500);
    await stage.again();
    await sees(page, 'Agent', 'entry 4499');
    await upToDate(page);
    await page.getByRole('feed').press('End');
    await send(page, 'say after');
    await sees(page, 'Agent', 'after');
    const texts = (await seen(page)).map(({ text }) => text).filter((text) => /entry \d+/.test(text));
    const numbers = texts.map((text) => Number(/entry (\d+)/.exec(text)?.[1]));
    // No gap and nothing twice in what is drawn, up to the last one.
    expect(numbers.at(-1)).toBe(4_499);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  });
});

describe.concurrent('the line', () => {
  test('L2 a network that was cut during a turn leaves no gap and nothing twice', async (context) => {
    const stage = await set(context, PATIENT);
    const gate = gated();
    const talk = await stage.session('Cut');
    const page = await stage.person();
    await stage.look(page, talk);
    await send(page, `say one\n${gate.line}\nsay two\nrun \`exit 6\` and tell me`);
    await page.getByRole('button', { name: 'Stop the turn' }).waitFor();
    stage.front.cut();
    await page.getByText('reconnecting').waitFor();
    gate.open();
    await talk.ended(2);
    stage.front.mend();
    await upToDate(page);
    await sees(page, 'Woken', 'exit 6');
    const live = await settled(page);
    await page.reload();
    await upToDate(page);
    expect(await settled(page)).toEqual(live);
  });

  test('a line that is dead on one side is noticed, and made anew', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Dead');
    const page = await stage.person();
    await stage.look(page, talk);
    stage.front.goDead();
    await talk.say('say unheard');
    await talk.ended(1);
    await page.locator('[data-line=connecting], [data-line=waiting]').first().waitFor({ timeout: 60_000 });
    stage.front.mend();
    // What else the browser kept open is dead as well: it may try up to six of those, for 6 s each and a growing pause.
    await sees(page, 'Agent', 'unheard', 120_000);
    await upToDate(page);
  });

  test('L6 ten tabs of one browser are each live over one line', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Ten');
    const first = await stage.person();
    await stage.look(first, talk);
    const tabs = [first];
    for (let count = 1; count < 10; count++) tabs.push(await tabBeside(stage, first, talk.id));
    await talk.say('run `echo ten; exit 7` and tell me');
    for (const tab of tabs) await sees(tab, 'Woken', 'exit 7');
    // The tab that was there first goes, and a tab in the middle crashes: nobody else notices.
    await first.close();
    await talk.say('say still here');
    for (const tab of tabs.slice(1)) await sees(tab, 'Agent', 'still here');
  });

  test('R1 a turn that a crash of the host cut off is seen to go on, and says so', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Resumed');
    const page = await stage.person();
    await stage.look(page, talk);
    await send(page, 'hold 4000\nsay after all');
    await page.getByRole('button', { name: 'Stop the turn' }).waitFor();
    await stage.crash();
    await sees(page, 'Note', 'restart');
    await sees(page, 'Agent', 'after all');
    await talk.on(stage.host).ended(1);
    const live = await settled(page);
    await page.reload();
    await upToDate(page);
    expect(await settled(page)).toEqual(live);
    expect(await rows(page).count()).toBe(live.length);
  });

  test('two tabs that answer one question: one answer counts, and both see which', async (context) => {
    const stage = await set(context);
    const talk = await stage.session('Question');
    const one = await stage.person();
    await stage.look(one, talk);
    const other = await tabBeside(stage, one, talk.id);
    await send(one, 'call clarify {"question": "Which way?", "choices": ["left", "right"]}');
    const left = one.getByRole('button', { name: 'left', exact: true });
    const right = other.getByRole('button', { name: 'right', exact: true });
    await left.waitFor();
    await right.waitFor();
    // Whoever comes second may find that the button has gone.
    const click = (button: typeof left) => button.click({ noWaitAfter: true, timeout: 5_000 }).catch(() => undefined);
    await Promise.all([click(left), click(right)]);
    const answer = await talk.comes('answer');
    await talk.ended(1);
    for (const page of [one, other]) await sees(page, 'Question', answer.text);
    const answers = (await talk.entries()).filter(({ kind }) => kind === 'answer');
    expect(answers).toHaveLength(1);
  });
});
