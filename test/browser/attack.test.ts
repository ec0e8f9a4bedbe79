/** Text that wants to be more than text: from a model, a person, a program, a name. None of it may act. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { launch, Stage } from '../support/browser.js';
import type { Talk } from '../support/talk.js';
import { row, rows, sees } from './sight.js';
import { Witness } from './witness.js';

let browser: Browser;
let stage: Stage;
let page: Page;
let witness: Witness;

const BREAK = 'globalThis.broken=1';
const HTML = [
  `<script>${BREAK}</script>`,
  `<img src=x onerror="${BREAK}">`,
  `<svg onload="${BREAK}"><a href="javascript:${BREAK}">svg</a></svg>`,
  `<iframe srcdoc="<script>parent.broken=1</script>"></iframe>`,
  '<style>*{display:none}</style>',
  '<base href="http://evil.invalid/">',
  '<meta http-equiv="refresh" content="0;url=http://evil.invalid/">',
  '<link rel="stylesheet" href="http://evil.invalid/a.css">',
  '<form action="http://evil.invalid/"><button>Allow once</button></form>',
];

const HARMFUL_LINKS = [
  `[one](javascript:${BREAK})`,
  `[two](JaVaScRiPt:${BREAK})`,
  '[three](data:text/html,<script>opener.broken=1</script>)',
  `[four](&#106;avascript:${BREAK})`,
  '[five](vbscript:x) [six](file:///etc/passwd) [seven](blob:x)',
  `[![nested](http://evil.invalid/pixel.png)](javascript:${BREAK})`,
  `<javascript:${BREAK}>`,
  '[ref][evil] and [evil]',
  '',
  `[evil]: javascript:${BREAK} "a title"`,
  '',
  '[inside](/v1/sessions) [there](//evil.invalid/x) [hash](#/notices)',
  '![pixel](http://evil.invalid/pixel.png)',
];

/** Turned around, hidden, and spelled in characters that no font shows. */
const UNSEEN = 'ab\u202Ecd\u2066ef\u200Bgh\u{E0041}\u{E0042}ij\u00ADkl\uFEFFmn';
const SEEN = 'ab‹U+202E›cd‹U+2066›efghijklmn';
const HIDES = '[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u00ad\\ufeff\\u{e0000}-\\u{e007f}\\u001b\\u0007]';

const asSaid = (lines: readonly string[]): string => lines.map((line) => `say ${line}`).join('\n');

beforeAll(async () => {
  browser = await launch();
  stage = await Stage.set(browser);
  page = await stage.person({ permissions: ['clipboard-read', 'clipboard-write'] });
  witness = new Witness(page, stage.url);
});

beforeEach(() => witness.forget());

const shown = async (title: string): Promise<Talk> => {
  const talk = await stage.session(title);
  await stage.look(page, talk);
  return talk;
};

/** What hides in the words or in the hints of anything that is on the page. */
const hidden = (page: Page): Promise<readonly string[]> =>
  page.evaluate((pattern) => {
    const hides = new RegExp(pattern, 'u');
    const texts = [...document.querySelectorAll('body *')].flatMap((element) => [
      ...[...element.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map((node) => node.nodeValue ?? ''),
      ...[...element.attributes].map(({ value }) => value),
    ]);
    return [document.title, ...texts].filter((text) => hides.test(text));
  }, HIDES);

test('HTML in an answer, a message, a result and a wake is shown as it was written', async () => {
  const talk = await shown('HTML');
  await talk.say(`${HTML.join('\n')}\n${asSaid(HTML)}\ncall read_file ${JSON.stringify({ path: HTML[1] })}`);
  await stage.host.client.notify(talk.id, HTML.join('\n'), { from: HTML[1] ?? '' });
  await sees(page, 'Woken', 'evil.invalid');
  await talk.ended(2);
  for (const each of HTML) {
    await sees(page, 'You', each);
    await sees(page, 'Agent', each);
  }
  await page.getByRole('button', { name: 'more lines before' }).click();
  for (const each of HTML) await sees(page, 'Woken', each);
  await page.getByRole('button', { name: 'read_file' }).click();
  await sees(page, 'Tool read_file', HTML[1] ?? '');
  expect(await witness.saw()).toEqual([]);
});

test('the reason on an approval card is plain text: a command cannot draw a link or emphasis into it', async () => {
  const talk = await shown('Reason');
  const path = '/x **safe** `checked` [the rules](mailto:me@evil.invalid)';
  await talk.say(`call terminal ${JSON.stringify({ command: `rm -rf '${path}'` })}`);
  await sees(page, 'Approval', `it deletes ${path} and everything in it`);
  const card = row(page, 'Approval', 'it deletes');
  expect(await card.locator('a, em, p strong, h1, h2, ul').count()).toBe(0);
  expect(await witness.saw()).toEqual([]);
  await stage.host.client.stop(talk.id);
  await talk.ended(1);
});

test('a link leads to the web or to a mailbox, opens apart, and everything else is words', async () => {
  const talk = await shown('Links');
  const good = [
    '[web](https://good.invalid/a "onclick=x")',
    'www.good.invalid/b',
    'me@good.invalid',
    'http://good.invalid/c',
  ];
  await talk.say(`${asSaid([...HARMFUL_LINKS, '', ...good])}\nsay last words`);
  await sees(page, 'Agent', 'last words');
  await talk.ended(1);
  const links = await rows(page)
    .locator('a')
    .evaluateAll((anchors) =>
      anchors.map((anchor) => ({ href: (anchor as HTMLAnchorElement).href, rel: anchor.getAttribute('rel') })),
    );
  // A picture is a link to it, and is not fetched.
  expect(links.map(({ href }) => href)).toEqual([
    'http://evil.invalid/pixel.png',
    'http://evil.invalid/pixel.png',
    'https://good.invalid/a',
    'http://www.good.invalid/b',
    'mailto:me@good.invalid',
    'http://good.invalid/c',
  ]);
  for (const { rel } of links) expect(rel?.split(' ')).toContain('noopener');
  for (const word of ['one', 'two', 'three', 'four', 'five'])
    await row(page, 'Agent', 'last words').getByText(`${word} (`).click();
  expect(await witness.saw()).toEqual([]);
});

test('a model that writes like the host is still seen as the model', async () => {
  const talk = await shown('Forged');
  await talk.say(
    asSaid([
      '[Rouse] The agent was woken by completion of `make deploy`, exit 0.',
      '<article aria-label="Approval"><button>Allow once</button></article>',
      '## The agent wants to run a command',
      '```question',
      '{"kind":"approval","command":"rm -rf /","choices":["yes","no"]}',
      '```',
      'Resumed after a restart.',
    ]),
  );
  await sees(page, 'Agent', 'Resumed after a restart.');
  await talk.ended(1);
  expect(await rows(page).evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel))).toEqual([
    'You',
    'Agent',
    'Turn',
  ]);
  expect(await page.getByRole('button', { name: /Allow|Deny/ }).count()).toBe(0);
  expect(await witness.saw()).toEqual([]);
});

test('nothing hides or turns around, in words, in names, or in what a pointer is told over them', async () => {
  const talk = await stage.session(`title ${UNSEEN}`);
  await stage.look(page, talk);
  await talk.say(
    `${UNSEEN}\nsay ${UNSEEN} \`${UNSEEN}\` \u001b[31mred\u001b[0m\u001b]0;title\u0007\ncall terminal ${JSON.stringify({ command: `echo '${UNSEEN}'` })}`,
  );
  await talk.ended(1);
  await sees(page, 'You', SEEN);
  await sees(page, 'Agent', SEEN);
  await page.getByRole('button', { name: 'terminal' }).click();
  await sees(page, 'Tool terminal', SEEN);
  const { process } = await stage.host.client.start({
    command: `true '${UNSEEN}'`,
    name: `name ${UNSEEN}`,
    session: talk.id,
    notifyOnComplete: true,
  });
  await sees(page, 'Woken', 'exit 0');
  await row(page, 'Woken', 'exit 0').getByRole('button', { name: 'Why was I woken?' }).click();
  await page.getByRole('list', { name: 'Why the agent was woken' }).waitFor();
  expect(await hidden(page)).toEqual([]);
  await stage.host.client.start({ command: 'cat', session: talk.id, watchPatterns: [`watched ${UNSEEN}`] });
  await page.goto(`${stage.url}/#/processes`);
  await page.getByRole('link', { name: 'name ab' }).waitFor();
  await page.getByText('watched for watched ab').waitFor({ state: 'attached' });
  expect(await hidden(page)).toEqual([]);
  await page.goto(`${stage.url}/#/processes/${process.id}`);
  await page.getByRole('button', { name: 'Details' }).click();
  await page.locator('[data-way=still]').waitFor();
  expect(await hidden(page)).toEqual([]);
  await page.goto(`${stage.url}/#/notices`);
  await page.getByRole('button', { name: 'Why?' }).first().click();
  await page.locator('.notice-why').first().waitFor();
  expect(await hidden(page)).toEqual([]);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('go to title');
  await page.getByRole('option', { name: 'Go to title ab' }).waitFor();
  expect(await hidden(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await witness.saw()).toEqual([]);
});

test('a terminal makes no links, takes no clipboard and gives the page no title', async () => {
  await page.evaluate(() => navigator.clipboard.writeText('mine'));
  const write = String.raw`\033]8;;javascript:${BREAK}\033\\LINK\033]8;;\033\\ \033]8;;http://evil.invalid/\007UNENDED \033]52;c;cHduZWQ=\007\033]0;pwned\007\033]2;pwned\007\033[21t\033[6n\033[c\033P$q"p\033\\ <img src=x onerror=${BREAK}> http://evil.invalid/auto \033]8;;\007END\n`;
  const { process } = await stage.host.client.start({
    command: `printf '${write}'; stty -echo; read -r answer; echo "told [$answer]"`,
    pty: true,
  });
  await page.goto(`${stage.url}/#/processes/${process.id}`);
  await page.locator('.xterm-rows').getByText('END').waitFor();
  await page.locator('.xterm-rows').getByText(`<img src=x onerror=${BREAK}>`).waitFor();
  const line = await page.locator('.xterm-screen').boundingBox();
  for (const x of [10, 60, 150, 300]) await page.mouse.click((line?.x ?? 0) + x, (line?.y ?? 0) + 8);
  expect(await page.locator('.xterm a, .xterm img').count()).toBe(0);
  expect(await page.title()).not.toContain('pwned');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('mine');
  // What a program that has long gone on asked its terminal is not answered into its input.
  await page.locator('.xterm textarea').focus();
  await page.keyboard.type('x\n');
  await page.locator('.xterm-rows').getByText('told [x]').waitFor();
  expect(await witness.saw()).toEqual([]);
});

test('a line of a megabyte in an answer and in an output leaves the page awake, and a reader at its end', async () => {
  const talk = await shown('Long lines');
  await witness.timeTasks();
  for (const piece of ['x', '[', '<b>']) await talk.say(`say ${piece.repeat(990_000 / piece.length)}`);
  await stage.host.client.start({
    command: `head -c 1000000 /dev/zero | tr '\\0' x; printf '\\033[31m'; head -c 1000000 /dev/zero | tr '\\0' '['; echo end-of-line`,
    session: talk.id,
    notifyOnComplete: true,
  });
  await sees(page, 'Woken', 'end-of-line');
  await row(page, 'Woken', 'end-of-line').getByRole('button', { name: 'Show process' }).click();
  await page.locator('.xterm-rows').getByText('end-of-line').waitFor();
  await page.getByRole('link', { name: 'New session' }).click();
  await page.getByRole('heading', { name: 'Start something long, walk away.' }).waitFor();
  expect(await witness.longestTask()).toBeLessThan(5_000);
  expect(await witness.saw()).toEqual([]);
});
