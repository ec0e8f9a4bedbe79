/** Our agent over the real provider packages, against a loopback server that speaks their protocols. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  isFailure,
  type AgentFailure,
  type Delta,
  type PromptMessage,
  type ThinkRequest,
  type Thought,
} from '../../src/ports/agent.js';
import { ModelAgent } from '../../src/agent/model-agent.js';
import { modelSettings } from '../../src/agent/settings.js';
import { chatCompletions, messages, responses, type Script } from '../support/protocols.js';
import { ProviderServer, type Reply } from '../support/provider.js';
import { until } from '../support/until.js';
import { FakeClock } from './fake-clock.js';

const KEY = 'key-of-the-test-0123456789';
const question: readonly PromptMessage[] = [
  { role: 'system', text: 'You are terse.' },
  { role: 'person', text: 'How is it?' },
];

let server: ProviderServer;
let clock: FakeClock;
beforeEach(async () => {
  clock = new FakeClock();
  server = await ProviderServer.start();
});

/** The address goes in by the settings, because OpenAI's own protocol is not spoken at an address of one's own. */
function agentFor(url: string): ModelAgent {
  const { providers } = modelSettings(
    { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url, OPENAI_API_KEY: KEY, MINE_KEY: KEY },
    { mine: { baseUrl: `${url}/v1/`, apiKeyEnv: 'MINE_KEY' } },
  );
  const here = providers.map((provider) =>
    provider.name === 'openai' ? { ...provider, baseUrl: `${url}/v1` } : provider,
  );
  return new ModelAgent({
    settings: { defaultModel: 'mine/m', providers: here },
    clock,
    dice: () => 0.5,
    silenceMs: 60_000,
  });
}

type Asked = Partial<ThinkRequest> & { readonly deltas?: Delta[] };

const ask = (model: string, { deltas = [], ...request }: Asked = {}): Promise<Thought | AgentFailure> =>
  agentFor(server.url).think({
    model,
    messages: question,
    tools: [],
    told: (delta) => deltas.push(delta),
    signal: new AbortController().signal,
    ...request,
  });

const parallel: Script = {
  text: ['I look.'],
  calls: [
    { id: 'call_a', tool: 'terminal', input: ['{"comm', 'and":"ls', ' -l ä"}'] },
    { id: 'call_b', tool: 'process', input: ['{"action"', ':"list"}'] },
  ],
};

const protocols = [
  { model: 'mine/m', path: '/v1/chat/completions', protocol: chatCompletions, cost: undefined },
  { model: 'openai/gpt-5', path: '/v1/responses', protocol: responses, cost: '0.000280' },
  { model: 'anthropic/claude-sonnet-4-5', path: '/v1/messages', protocol: messages, cost: '0.000492' },
];

describe.each(protocols)('$model', ({ model, path, protocol, cost }) => {
  test.each([301, 302, 307, 308])('its key does not follow a redirect (%i)', async (status) => {
    const other = await ProviderServer.start();
    server.willAnswer({ status, headers: { location: `${other.url}/v1/elsewhere?x=1` } });
    const failure = await ask(model);
    expect(failure).toMatchObject({
      failed: 'refused',
      why: expect.stringContaining(`it redirects to ${other.url} (`),
    });
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);
    expect(other.requests).toEqual([]);
  });

  const bad = (error: object, status: number, headers = {}): Reply => ({
    status,
    headers,
    body: JSON.stringify({ type: 'error', error: { message: 'no', type: 'x', ...error } }),
  });
  const good: Reply = { body: protocol({ text: ['fine'] }) };

  test('it tells the words as they come and answers with the whole, wherever the packets are cut', async () => {
    const deltas: Delta[] = [];
    server.willAnswer({
      body: protocol({ reasoning: ['Let me ', 'see.'], text: ['It is ', 'schön ', '🌻.'] }),
      pieceBytes: 7,
    });
    const thought = await ask(model, { deltas });
    expect(thought).toMatchObject({ text: 'It is schön 🌻.', reasoning: 'Let me see.', calls: [], finish: 'stop' });
    expect(deltas.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'reasoning: Let me ',
      'reasoning: see.',
      'text: It is ',
      'text: schön ',
      'text: 🌻.',
    ]);
    expect(server.requests.map((request) => request.path)).toEqual([path]);
  });

  test('it counts what was used', async () => {
    server.willAnswer(good);
    const { usage } = (await ask(model)) as Thought;
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 20, cachedTokens: 40 });
    // 60 new, 40 cached and 20 written tokens, by the list.
    expect(usage.costUsd?.toFixed(6)).toBe(cost);
  });

  test('it puts calls together that come in pieces and in parallel', async () => {
    server.willAnswer({ body: protocol(parallel), pieceBytes: 11 });
    expect(await ask(model)).toMatchObject({
      text: 'I look.',
      finish: 'tools',
      calls: [
        { id: 'call_a', tool: 'terminal', input: { command: 'ls -l ä' } },
        { id: 'call_b', tool: 'process', input: { action: 'list' } },
      ],
    });
  });

  test('it gives arguments that are not JSON as text, and none as an empty object', async () => {
    const calls = [
      { id: 'call_a', tool: 'terminal', input: ['{"command": ls'] },
      { id: 'call_b', tool: 'process', input: [''] },
    ];
    server.willAnswer({ body: protocol({ calls: calls.slice(0, 1) }) }, { body: protocol({ calls: calls.slice(1) }) });
    expect(await ask(model)).toMatchObject({ calls: [{ input: '{"command": ls' }] });
    expect(await ask(model)).toMatchObject({ calls: [{ input: {} }] });
  });

  test('it says that the words were cut, and drops the call that was', async () => {
    server.willAnswer({ body: protocol({ text: ['It is'], cut: true }) });
    expect(await ask(model)).toMatchObject({ text: 'It is', finish: 'length' });
    server.willAnswer({ body: protocol({ calls: [{ id: 'a', tool: 'terminal', input: ['{"comma'] }], cut: true }) });
    expect(await ask(model)).toMatchObject({ calls: [], finish: 'length' });
  });

  test('it never makes half a call of a stream that ends', async () => {
    server.willAnswer({ body: protocol({ calls: parallel.calls ?? [] }), stop: { after: 'comm', by: 'end' } });
    expect(await ask(model)).toMatchObject({ failed: 'broken-off' });
    expect(server.requests).toHaveLength(1);
  });

  test.each(['reset', 'end'] as const)('it does not ask again after words were told and an %s came', async (by) => {
    let heard = () => {};
    const when = new Promise<void>((resolve) => (heard = resolve));
    server.willAnswer({ body: protocol(parallel), stop: { after: 'comm', by, when } }, good);
    expect(await ask(model, { told: () => heard() })).toMatchObject({ failed: 'broken-off' });
    expect(server.requests).toHaveLength(1);
  });

  test('T10 it waits as long as a limit asks, tells of it, and asks again', async () => {
    const retries: [AgentFailure['failed'], number][] = [];
    server.willAnswer(bad({ type: 'rate_limit_error' }, 429, { 'retry-after': '7' }), good);
    const thought = ask(model, { retrying: ({ failed }, inMs) => retries.push([failed, inMs]) });
    await until('it waits', () => retries.length === 1);
    expect(retries).toEqual([['rate-limited', 7_000]]);
    expect(server.requests).toHaveLength(1);
    clock.advance(7_000);
    expect(await thought).toMatchObject({ text: 'fine' });
  });

  test('it asks again after outages, at longer and longer intervals, and gives up in the end', async () => {
    const pauses: number[] = [];
    server.willAnswer(...Array.from({ length: 6 }, (_, at) => bad({}, 500 + at)));
    const outcome = await ask(model, { retrying: (_, inMs) => soon(inMs, pauses) });
    expect(outcome).toMatchObject({ failed: 'overloaded' });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(server.requests).toHaveLength(6);
  });

  test('it asks again when the connection breaks before an answer came', async () => {
    server.willAnswer({ stop: { after: '', by: 'reset' } }, good);
    expect(await ask(model, { retrying: (_, inMs) => soon(inMs) })).toMatchObject({ text: 'fine' });
  });

  test('it says at once what no second try would change', async () => {
    const why = `no such key ${KEY}`;
    server.willAnswer(
      bad({ message: why }, 401),
      bad({ message: why }, 403),
      bad({ message: why, code: 'insufficient_quota' }, 429),
      bad({ message: 'Your credit balance is too low to access the API' }, 400),
      bad({ message: why }, 402),
      bad({ message: 'prompt is too long' }, 400),
      bad({ message: why }, 429, { 'retry-after': '3600' }),
    );
    const outcomes: AgentFailure[] = [];
    for (let at = 0; at < 7; at++) outcomes.push(failed(await ask(model)));
    expect(outcomes.map(({ failed }) => failed)).toEqual([
      'credentials',
      'credentials',
      'no-credit',
      'no-credit',
      'no-credit',
      'refused',
      'rate-limited',
    ]);
    expect(outcomes.at(-1)).toMatchObject({ retryAfterMs: 3_600_000 });
    expect(outcomes[5]?.why).toContain('prompt is too long');
    expect(JSON.stringify(outcomes)).not.toContain(KEY);
    expect(server.requests).toHaveLength(7);
  });

  test('it lets go of a provider that hangs, before the answer and in its middle', async () => {
    for (const [at, stop] of (['', '"It is "'] as const).entries()) {
      const controller = new AbortController();
      const deltas: Delta[] = [];
      server.willAnswer({ body: protocol({ text: ['It is ', 'fine'] }), stop: { after: stop, by: 'silence' } });
      const outcome = ask(model, { signal: controller.signal, deltas });
      await until('it was asked', () => server.requests.length === at + 1);
      controller.abort();
      const told = deltas.length;
      expect(await outcome).toMatchObject({ failed: 'aborted' });
      await until('it has hung up', () => server.hungUp === at + 1);
      expect(deltas).toHaveLength(told);
    }
  });

  test('it gives up a provider that falls silent in the middle', async () => {
    const deltas: Delta[] = [];
    server.willAnswer({
      body: protocol({ text: ['It is ', 'fine', ' so far'] }),
      stop: { after: '"fine"', by: 'silence' },
    });
    const outcome = ask(model, { deltas });
    await until('the first words came', () => deltas.length > 0);
    clock.advance(30_000);
    clock.advance(60_000);
    expect(await outcome).toMatchObject({ failed: 'broken-off', why: expect.stringContaining('60 s') });
  });

  test('it tells nothing any more once it is aborted, whatever still comes', async () => {
    const controller = new AbortController();
    const deltas: Delta[] = [];
    server.willAnswer({ body: protocol({ text: Array.from({ length: 50 }, (_, at) => `${at} `) }) });
    const outcome = await ask(model, {
      signal: controller.signal,
      told: (delta) => {
        deltas.push(delta);
        controller.abort();
      },
    });
    expect(outcome).toMatchObject({ failed: 'aborted' });
    expect(deltas).toHaveLength(1);
  });

  test('it ends a pause between two tries when it is aborted', async () => {
    const controller = new AbortController();
    server.willAnswer(bad({}, 503), good);
    const outcome = ask(model, { signal: controller.signal, retrying: () => controller.abort() });
    expect(await outcome).toMatchObject({ failed: 'aborted' });
    expect(server.requests).toHaveLength(1);
  });

  test('it asks again after rubbish', async () => {
    server.willAnswer({ body: 'data: {"what\n\n' }, { body: '<html>Welcome!</html>' }, { body: '{}' }, good);
    expect(await ask(model, { retrying: (_, inMs) => soon(inMs) })).toMatchObject({ text: 'fine' });
    expect(server.requests).toHaveLength(4);
  });

  test('it shows the provider all that was said, with tools, results and notices', async () => {
    server.willAnswer({ body: protocol({ reasoning: ['Hm.'], ...parallel }) }, good);
    const first = (await ask(model)) as Thought;
    await ask(model, {
      tools: [{ name: 'terminal', description: 'Runs it.', schema: { type: 'object', properties: {} } }],
      messages: [
        ...question,
        { role: 'agent', ...first },
        { role: 'tool', call: 'call_a', tool: 'terminal', result: 'total 0', failed: false },
        { role: 'tool', call: 'call_b', tool: 'process', result: 'No such process.', failed: true },
        { role: 'agent', text: '', calls: [{ id: 'call_c', tool: 'terminal', input: 'not json' }] },
        { role: 'tool', call: 'call_c', tool: 'terminal', result: 'Write JSON.', failed: true },
        { role: 'agent', text: '', calls: [] },
        { role: 'system', text: 'Mind the time.' },
        { role: 'notice', text: 'Nobody spoke.', causes: [] },
      ],
    });
    const sent = server.requests[1]?.body ?? '';
    for (const word of [
      'You are terse.',
      'How is it?',
      'I look.',
      'ls -l ä',
      'total 0',
      'No such process.',
      'not json',
    ])
      expect(sent).toContain(word);
    for (const word of ['Write JSON.', 'Mind the time.', 'Nobody spoke.', 'Runs it.']) expect(sent).toContain(word);
    expect(JSON.stringify(server.requests[1]?.headers)).toContain(KEY);
    // Not every provider takes back what its model wrote, nor a message without content.
    expect(sent).toMatch(/unreadable\\?":\\?"not json/);
    const { messages: chat, input } = JSON.parse(sent) as Record<string, readonly Record<string, unknown>[]>;
    const empty = (message: Record<string, unknown>) => message['content']?.toString() === '' && !message['tool_calls'];
    expect((chat ?? input)?.filter(empty)).toEqual([]);
    if (model !== 'mine/m') expect(sent).toContain('c2VhbGVk');
  });
});

function failed(outcome: Thought | AgentFailure): AgentFailure {
  if (!isFailure(outcome)) throw new Error('There should be no thought.');
  return outcome;
}

/** Moves the clock once the pause has begun. */
function soon(inMs: number, pauses: number[] = []): void {
  pauses.push(inMs);
  void clock.nextAlarm().then(() => clock.advance(inMs));
}
