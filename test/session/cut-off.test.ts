/** Words that were shown before their turn was ended. */
import { beforeEach, describe, expect, test } from 'vitest';
import { blank, fold, shownWords, type Screen } from '../../src/client/screen.js';
import { SessionId } from '../../src/contract/ids.js';
import { startHost } from '../support/host.js';
import { chatCompletions, messages, type Protocol } from '../support/protocols.js';
import { ProviderServer, type Reply } from '../support/provider.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

let server: ProviderServer;

beforeEach(async () => {
  server = await ProviderServer.start();
});

const openai = () => ({ OPENAI_API_KEY: 'key-of-the-test-0123456789', OPENAI_BASE_URL: `${server.url}/v1` });
const anthropic = () => ({ ANTHROPIC_API_KEY: 'key-of-the-test-0123456789', ANTHROPIC_BASE_URL: server.url });

/** A screen that follows the session, and everything that it has shown. */
async function watched(talk: Talk) {
  const over = new AbortController();
  let screen: Screen = blank(SessionId.parse(talk.id));
  const shown: string[] = [];
  const listening = (async () => {
    for await (const event of talk.host.client.events({ session: talk.id, after: 0, signal: over.signal })) {
      screen = fold(screen, event);
      shown.push(onScreen(screen));
    }
  })().catch(() => undefined);
  return {
    shown,
    shows: (text: string) => until(`"${text}" is on the screen`, () => onScreen(screen).includes(text)),
    [Symbol.asyncDispose]: async () => (over.abort(), listening),
  };
}

const onScreen = (screen: Screen): string =>
  [
    ...screen.entries.flatMap((entry) => (entry.kind === 'text' ? [entry.text] : [])),
    shownWords(screen)?.text ?? '',
  ].join('|');

const textsOf = async (talk: Talk) =>
  (await talk.entries()).flatMap((entry) => (entry.kind === 'text' ? [[entry.text, entry.cutOff ?? 'whole']] : []));

type Shown = { readonly role: string; readonly content: unknown };
const lastPrompt = (): readonly Shown[] =>
  (JSON.parse(server.requests.at(-1)?.body ?? '{}') as { messages: readonly Shown[] }).messages.filter(
    ({ role }) => role !== 'system',
  );
const plain = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (content as readonly { readonly text?: string }[]).map(({ text = '' }) => text).join('\n');

describe.each([
  { name: 'OpenAI', env: openai, protocol: chatCompletions },
  { name: 'Anthropic', env: anthropic, protocol: messages },
])('words that were shown, with the protocol of $name', ({ env, protocol }) => {
  const says = (text: readonly string[], more: Partial<Reply> = {}, how: Protocol = protocol): Reply => ({
    body: how({ text }),
    ...more,
  });
  const slow = (): Reply => says(['It is ', 'slow'], { stop: { after: 'slow', by: 'silence' } });

  const scene = async () => {
    const host = await startHost({ env: env() });
    const talk = await Talk.begin(host);
    return { host, talk, screen: await watched(talk) };
  };

  test('T5 L4 stay in the journal when a person stops the turn, once, and the model is told in its next turn', async () => {
    const { host, talk, screen } = await scene();
    await using _ = screen;
    server.willAnswer(slow(), says(['fine']));
    await talk.say('go');
    await screen.shows('It is ');
    await host.client.stop(talk.id);
    await talk.ended(1);
    expect(await talk.kinds()).toEqual(['turnBegan', 'message', 'text', 'turnEnded']);
    expect(await textsOf(talk)).toEqual([['It is ', 'stopped']]);
    await talk.say('and now?');
    await talk.ended(2);
    const prompt = lastPrompt();
    expect(prompt.map(({ role }) => role).filter((role) => role === 'assistant')).toHaveLength(1);
    const at = prompt.findIndex(({ role }) => role === 'assistant');
    expect(plain(prompt[at]?.content)).toBe('It is');
    const rest = prompt.slice(at + 1).map(({ content }) => plain(content));
    expect(rest.join('\n')).toMatch(/no person speaks here[^]*a person stopped you[^]*and now\?/);
    await screen.shows('fine');
    expect(screen.shown.filter((text) => /It is.*It is/.test(text))).toEqual([]);
    const first = screen.shown.findIndex((text) => text.includes('It is '));
    expect(screen.shown.slice(first).filter((text) => !text.includes('It is '))).toEqual([]);
  });

  test('T5 T8 stay in the journal when a message interrupts the turn, before that message', async () => {
    const { talk, screen } = await scene();
    await using _ = screen;
    server.willAnswer(slow(), says(['fine']));
    await talk.say('go');
    await screen.shows('It is ');
    await talk.say('no, wait', 'interrupt');
    await talk.ended(2);
    const turn = ['turnBegan', 'message', 'text', 'turnEnded'];
    expect(await talk.kinds()).toEqual([...turn, ...turn]);
    expect(await textsOf(talk)).toEqual([
      ['It is ', 'interrupted'],
      ['fine', 'whole'],
    ]);
    expect(
      lastPrompt()
        .map(({ content }) => plain(content))
        .join('\n'),
    ).toContain('a person interrupted you');
  });

  test('T10 stay in the journal once when the model breaks off for good, and a resume goes on from them', async () => {
    const { host, talk, screen } = await scene();
    await using _ = screen;
    const broken = says(['It is ', 'gone'], { stop: { after: 'gone', by: 'end' } });
    server.willAnswer(broken, broken, broken);
    await talk.say('go');
    await talk.ended(1);
    expect(await textsOf(talk)).toEqual([['It is ', 'failed']]);
    expect(await talk.state()).toBe('paused');
    server.willAnswer(says(['back.']));
    await host.client.resumeWakes(talk.id);
    await talk.ended(2);
    expect(await textsOf(talk)).toEqual([
      ['It is ', 'failed'],
      ['back.', 'whole'],
    ]);
    const prompt = lastPrompt();
    expect(prompt.at(-1)?.role).toBe('user');
    expect(plain(prompt.at(-1)?.content)).toContain('continue where it ends');
  });
});

describe('words that were shown', () => {
  test('N8 T7 are not written behind a reset', async () => {
    const host = await startHost();
    const talk = await Talk.begin(host);
    await using screen = await watched(talk);
    await talk.say('say half\nhold 600000');
    await screen.shows('half');
    await host.client.reset(talk.id);
    const entries = await talk.ended(1);
    expect(entries.filter(({ kind }) => kind === 'text')).toEqual([]);
  });

  test('T5 are no answer that anybody waits with: they do not count as unread', async () => {
    const host = await startHost();
    const talk = await Talk.begin(host);
    await using screen = await watched(talk);
    await talk.say('say half\nhold 600000');
    await screen.shows('half');
    await host.client.stop(talk.id);
    await talk.ended(1);
    expect(await textsOf(talk)).toEqual([[expect.stringMatching(/^half\n?\.*$/), 'stopped']]);
    expect((await host.client.session(talk.id)).session.unread).toBe(0);
  });
});
