/** Turns of a real host over a provider on loopback, through the real packages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LiveEvent } from '../../src/contract/event.js';
import { newFolder } from '../support/clean-up.js';
import { startHost } from '../support/host.js';
import { chatCompletions, messages, type Protocol, type Script } from '../support/protocols.js';
import { ProviderServer, type Reply } from '../support/provider.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

let server: ProviderServer;
let folder: string;

beforeEach(async () => {
  server = await ProviderServer.start();
  folder = newFolder();
});

const KEY = 'key-of-the-test-0123456789';
const openai = (key = KEY) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${server.url}/v1` });
const anthropic = () => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url });

const scene = async (env: NodeJS.ProcessEnv = openai()) => {
  const host = await startHost({ env });
  return { host, talk: await Talk.begin(host) };
};

const says = (script: Script, more: Partial<Reply> = {}, protocol: Protocol = chatCompletions): Reply => ({
  body: protocol(script),
  ...more,
});
const calls = (tool: string, ...input: readonly string[]): Script => ({ calls: [{ id: 'call_a', tool, input }] });
const run = (command: string) => calls('terminal', JSON.stringify({ command }));

/** Hears what is live. The line may be slow to come up: it is up for certain when a turn was heard of. */
async function hear(talk: Talk, protocol: Protocol = chatCompletions) {
  const over = new AbortController();
  const heard: LiveEvent[] = [];
  const listening = (async () => {
    for await (const event of talk.host.client.events({ session: talk.id, signal: over.signal }))
      if (event.kind === 'live') heard.push(event.event);
  })().catch(() => undefined);
  let before = 0;
  await until('the line is up', async () => {
    server.willAnswer(says({ text: ['here'] }, {}, protocol));
    await talk.say('are you there?');
    await talk.ended(++before);
    return heard.length > 0;
  });
  const ofLastTurn = async () => {
    const turn = (await talk.turns()).at(-1)?.turn;
    return heard.filter((event) => event.turn === turn);
  };
  return { before, ofLastTurn, [Symbol.asyncDispose]: async () => (over.abort(), listening) };
}

const resultsOf = async (talk: Talk) =>
  (await talk.entries()).flatMap((entry) => (entry.kind === 'toolResult' ? [entry] : []));

describe.each([
  { name: 'OpenAI', env: openai, protocol: chatCompletions, cost: undefined },
  { name: 'Anthropic', env: anthropic, protocol: messages, cost: 0.000492 },
])('with the protocol of $name', ({ env, protocol, cost }) => {
  test('L1 words are live as they come, add up to the entry, and are counted and priced at the end', async () => {
    const { talk } = await scene(env());
    await using line = await hear(talk, protocol);
    const words = async () =>
      (await line.ofLastTurn()).flatMap((event) => (event.kind === 'delta' && event.of === 'text' ? [event.text] : []));
    const firstHeard = until('the first words are heard before the last are said', async () =>
      (await words()).join('').startsWith('It is'),
    );
    const hold = { after: 'schön', until: firstHeard };
    server.willAnswer(says({ text: ['It is ', 'schön ', '🌻.'] }, { pieceBytes: 7, hold }, protocol));
    await talk.say('How is it?');
    const entries = await talk.ended(line.before + 1);
    expect((await talk.words()).at(-1)).toBe('It is schön 🌻.');
    await until('they were heard', async () => (await line.ofLastTurn()).some(({ kind }) => kind === 'cleared'));
    expect((await words()).join('')).toBe('It is schön 🌻.');
    const ended = entries.findLast((entry) => entry.kind === 'turnEnded');
    expect(ended).toMatchObject({
      reason: 'finished',
      usage: { inputTokens: 100, outputTokens: 20, cachedTokens: 40 },
    });
    if (cost) expect(ended?.usage?.costUsd).toBeCloseTo(cost, 9);
  });

  test('a call that comes in pieces is run, and its result is what the model is shown next', async () => {
    const { talk } = await scene(env());
    server.willAnswer(
      says(calls('terminal', '{"comm', 'and":"echo o', 'ne; exit 3"}'), { pieceBytes: 11 }, protocol),
      says({ text: ['done'] }, {}, protocol),
    );
    await talk.say('go');
    await talk.ended(1);
    expect((await resultsOf(talk))[0]?.result).toMatch(/exit 3[^]*one/);
    expect(server.requests[1]?.body).toContain('exit 3');
    expect(await talk.words()).toEqual(['done']);
  });

  test('13 a stream that breaks off in the middle of a call leaves nothing in the journal, and is asked for again', async () => {
    const { talk } = await scene(env());
    const stamp = join(folder, 'stamp');
    const broken = { ...run(`echo ran >> ${stamp}`), text: ['Half'] };
    server.willAnswer(
      says(broken, { stop: { after: 'echo ran', by: 'end' } }, protocol),
      says({ text: ['whole'] }, {}, protocol),
    );
    await talk.say('go');
    await talk.ended(1);
    expect(await talk.kinds()).toEqual(['turnBegan', 'message', 'text', 'turnEnded']);
    expect(await talk.words()).toEqual(['whole']);
    expect(existsSync(stamp)).toBe(false);
  });

  test('a stop hangs up on the provider, and the turn ends as stopped', async () => {
    const { host, talk } = await scene(env());
    server.willAnswer(says({ text: ['It is ', 'slow'] }, { stop: { after: 'It is ', by: 'silence' } }, protocol));
    await talk.say('go');
    await until('it was asked', () => server.requests.length === 1);
    await host.client.stop(talk.id);
    const entries = await talk.ended(1);
    expect(entries.at(-1)).toMatchObject({ kind: 'turnEnded', reason: 'stopped' });
    await until('the line is closed', () => server.hungUp === 1);
    expect(await talk.words()).toEqual([]);
  });
});

describe('a provider', () => {
  test('13 that wants to be left alone for a moment is, and that is told live', async () => {
    const { talk } = await scene();
    await using line = await hear(talk);
    const busy = { status: 429, headers: { 'retry-after': '1' }, body: '{"error":{"message":"slow down"}}' };
    server.willAnswer(busy, says({ text: ['fine'] }));
    await talk.say('go');
    await talk.ended(line.before + 1);
    expect((await talk.words()).at(-1)).toBe('fine');
    const told = expect.objectContaining({ kind: 'retrying', inMs: 1_000 });
    await until('it was heard', async () => (await line.ofLastTurn()).some(({ kind }) => kind === 'cleared'));
    expect(await line.ofLastTurn()).toContainEqual(told);
    expect(server.requests).toHaveLength(line.before + 2);
  });

  test('M1 L8 that hangs when it is asked for its models keeps nobody waiting, not even a turn', async () => {
    const { host, talk } = await scene();
    server.willAnswer({ stop: { after: '', by: 'silence' } }, says({ text: ['fine'] }));
    expect((await host.client.models()).source).toBe('built-in');
    await until('it was asked for them', () => server.requests.length === 1);
    await talk.say('go');
    await talk.ended(1);
    expect(await talk.words()).toEqual(['fine']);
  });

  test('T10 that refuses the credentials pauses wakes with a reason, until a host has others', async () => {
    const { host, talk } = await scene();
    server.willAnswer({ status: 401, body: '{"error":{"message":"wrong key"}}' });
    await talk.say('go');
    await talk.ended(1);
    await host.client.notify(talk.id, 'deployed');
    const { session } = await host.client.session(talk.id);
    expect(session).toMatchObject({ state: 'paused', owed: 1, pausedWhy: expect.stringContaining('credentials') });
    expect(JSON.stringify(session)).not.toContain(KEY);
    await host.stop();
    const same = talk.on(await host.again({ env: openai() }));
    expect(await same.state()).toBe('paused');
    await same.host.stop();
    server.willAnswer(says({ text: ['gone'] }), says({ text: ['seen'] }));
    const other = talk.on(await host.again({ env: openai('another-key-9876543210') }));
    await other.ended(3);
    expect(await other.words()).toEqual(['gone', 'seen']);
    expect((await other.turns()).map(({ by }) => by)).toEqual(['person', 'resume', 'wake']);
  });
});

describe('a model that calls a tool', () => {
  const wrong: Record<string, readonly [tool: string, input: string]> = {
    'with something that is not JSON': ['terminal', '{"command": "ls'],
    'with a value of the wrong type': ['terminal', '{"command": 7}'],
    'with a key that nobody knows': ['terminal', '{"command":"ls","shell":"zsh"}'],
    'that does not exist': ['teleport', '{}'],
  };

  test.each(Object.keys(wrong))('%s is told so, and goes on', async (name) => {
    const { talk } = await scene();
    const [tool, input] = wrong[name] as (typeof wrong)[string];
    server.willAnswer(says(calls(tool, input)), says({ text: ['sorry'] }));
    await talk.say('go');
    const entries = await talk.ended(1);
    expect(await resultsOf(talk)).toMatchObject([{ failed: true }]);
    expect(entries.at(-1)).toMatchObject({ kind: 'turnEnded', reason: 'finished' });
    expect(await talk.words()).toEqual(['sorry']);
    expect(await talk.host.client.list({ session: talk.id })).toEqual([]);
  });

  test('with ten megabytes is told that they are too many, and goes on', async () => {
    const { talk } = await scene();
    const command = 'x'.repeat(10_000_000);
    server.willAnswer(says(run(command)), says({ text: ['sorry'] }));
    await talk.say('go');
    const entries = await talk.ended(1);
    expect(await resultsOf(talk)).toMatchObject([{ failed: true }]);
    expect(entries.at(-1)).toMatchObject({ reason: 'finished' });
  });

  test('T6 to wait for the process of another session finds it unknown', async () => {
    const { host, talk } = await scene();
    const other = await Talk.begin(host);
    const { process } = await host.client.start({ command: 'exit 3', session: other.id, notifyOnComplete: false });
    server.willAnswer(
      says(calls('process', JSON.stringify({ action: 'wait', process_id: process.id }))),
      says({ text: ['sorry'] }),
    );
    await talk.say('go');
    await talk.ended(1);
    const [result] = await resultsOf(talk);
    expect(result).toMatchObject({ failed: true });
    expect(result?.result).not.toContain('exit 3');
  });
});
