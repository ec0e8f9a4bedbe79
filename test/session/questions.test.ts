/** A question or an approval that waits while the host is killed or stopped, and what the next host does with it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../support/clean-up.js';
import { startHost, type TestHost } from '../support/host.js';
import { chatCompletions } from '../support/protocols.js';
import { ProviderServer } from '../support/provider.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const scene = async (config: object = {}) => {
  const host = await startHost({ config: { turns: { drainMs: 0 }, ...config } });
  return { host, talk: await Talk.begin(host) };
};

const CLARIFY = 'call clarify {"question":"Which one?"}\nsay thanks';

const waits = (talk: Talk) => until('it waits', async () => (await talk.state()) === 'waiting');

const results = async (talk: Talk) => (await talk.entries()).filter((entry) => entry.kind === 'toolResult');

const endings: Record<string, (host: TestHost) => Promise<void>> = {
  'kill -9': (host) => host.kill(),
  'a clean stop': (host) => host.stop(),
};

describe.each(Object.entries(endings))('a question that waits over %s', (_, end) => {
  test('R5 still waits, and its turn goes on with the answer', async () => {
    const { host, talk } = await scene();
    await talk.say(CLARIFY);
    const asked = await talk.comes('question');
    await end(host);
    const next = talk.on(await host.again());
    expect(await next.state()).toBe('waiting');
    await next.host.client.answer(talk.id, asked.question, 'the left one');
    await next.ended(1);
    expect(await next.comes('question')).toEqual(asked);
    expect(await results(next)).toMatchObject([{ result: 'A person answered: the left one', failed: false }]);
    expect((await next.words()).at(-1)).toContain('thanks');
    expect(await next.turns()).toHaveLength(1);
  });

  test('R5 runs the command that a person approves afterwards, once, in its folder', async () => {
    const { host, talk } = await scene({ approval: 'ask' });
    const folder = newFolder();
    const command = 'pwd >> stamp';
    await talk.say(`call terminal ${JSON.stringify({ command, workdir: folder })}\nsay done`);
    const { question } = await talk.comes('question');
    await end(host);
    const middle = talk.on(await host.again());
    expect(await middle.state()).toBe('waiting');
    expect(existsSync(join(folder, 'stamp'))).toBe(false);
    await end(middle.host);
    const next = talk.on(await middle.host.again());
    await next.host.client.answer(talk.id, question, 'yes');
    await next.ended(1);
    expect(readFileSync(join(folder, 'stamp'), 'utf8')).toBe(`${folder}\n`);
    expect(await results(next)).toMatchObject([{ failed: false, result: expect.stringContaining('exit 0') }]);
    expect((await next.words()).at(-1)).toContain('done');
  });
});

describe('a step of several calls', () => {
  test('R5 keeps the questions that wait, what had its result, and says of the rest that it was cut off', async () => {
    const server = await ProviderServer.start();
    const call = (id: string, tool: string, input: object) => ({ id, tool, input: [JSON.stringify(input)] });
    const gate = join(newFolder(), 'gate');
    const waiting = `while [ ! -e ${gate} ]; do sleep 0.05; done`;
    const step = [
      call('a', 'clarify', { question: 'Which one?' }),
      call('b', 'terminal', { command: waiting }),
      call('c', 'process', { action: 'list' }),
      call('d', 'clarify', { question: 'And when?' }),
    ];
    server.willAnswer({ body: chatCompletions({ calls: step }) }, { body: chatCompletions({ text: ['thanks'] }) });
    const env = { OPENAI_API_KEY: 'key-of-the-test-0123456789', OPENAI_BASE_URL: `${server.url}/v1` };
    const host = await startHost({ env });
    const talk = await Talk.begin(host);
    await talk.say('go');
    await talk.comes('question', 2);
    await talk.comes('toolResult');
    await until('the command runs', async () => (await host.client.list({ session: talk.id })).length === 1);
    await host.kill();
    const middle = talk.on(await host.again({ env }));
    const open = await middle.host.client.questions(talk.id);
    expect(open.map(({ text }) => text)).toEqual(['Which one?', 'And when?']);
    await middle.host.client.answer(talk.id, open[1]?.question ?? '', 'tomorrow');
    await middle.comes('toolResult', 3);
    await middle.host.kill();
    const next = talk.on(await middle.host.again({ env }));
    await next.host.client.answer(talk.id, open[0]?.question ?? '', 'left');
    writeFileSync(gate, '');
    await until('it went on', async () => (await next.words()).includes('thanks'));
    const byCall = new Map((await results(next)).map(({ call: id, result }) => [id, result]));
    expect(await results(next)).toHaveLength(4);
    expect(byCall.get('a')).toBe('A person answered: left');
    expect(byCall.get('b')).toContain('was cut off');
    expect(byCall.get('d')).toBe('A person answered: tomorrow');
    expect(await next.host.client.list({ session: talk.id })).toHaveLength(1);
  });
});

describe('a question that waits over a restart', () => {
  test('R5 does not run a command that a person denies afterwards', async () => {
    const { host, talk } = await scene({ approval: 'ask' });
    const stamp = join(newFolder(), 'stamp');
    await talk.say(`call terminal ${JSON.stringify({ command: `echo ran >> ${stamp}` })}\nsay done`);
    const { question } = await talk.comes('question');
    await host.kill();
    // Even where the policy no longer asks: the person was asked, and said no.
    const next = talk.on(await host.again({ config: { approval: 'allow' } }));
    await next.host.client.answer(talk.id, question, 'no');
    await next.ended(1);
    expect(existsSync(stamp)).toBe(false);
    expect(await results(next)).toMatchObject([{ failed: true, result: expect.stringContaining('answered "no"') }]);
  });

  test('R5 T11 keeps its time: a restart does not prolong it, and a time-out is told to the agent', async () => {
    const { host, talk } = await scene({ turns: { drainMs: 0, questionMs: 8_000 } });
    await talk.say(CLARIFY);
    const asked = await talk.comes('question');
    await host.kill();
    const next = talk.on(await host.again({ config: { turns: { questionMs: 600_000 } } }));
    expect(await next.state()).toBe('waiting');
    const answer = await next.comes('answer');
    expect(answer).toMatchObject({ question: asked.question, by: 'timeout' });
    expect(Date.parse(answer.at)).toBeGreaterThanOrEqual(asked.expiresAt ?? Infinity);
    await next.ended(1);
    expect(await results(next)).toMatchObject([{ result: expect.stringContaining('No answer came in time') }]);
  });

  test('R5 T11 is over when its time ended without a host, and is not mixed into the next message', async () => {
    const { host, talk } = await scene({ turns: { drainMs: 0, questionMs: 1_500 } });
    await talk.say(CLARIFY);
    const { question, expiresAt = 0 } = await talk.comes('question');
    await host.kill();
    await until('its time is over', () => Date.now() > expiresAt);
    const next = talk.on(await host.again());
    expect(await next.state()).toBe('idle');
    expect(await next.comes('answer')).toMatchObject({ question, by: 'timeout' });
    expect(await next.comes('turnEnded')).toMatchObject({ why: expect.stringContaining('no answer in time') });
    await expect(next.host.client.answer(talk.id, question, 'late')).rejects.toThrow('timed out');
    await next.say('say other');
    await next.ended(2);
    expect((await next.turns()).map(({ by }) => by)).toEqual(['person', 'person']);
    expect((await next.words()).at(-1)).toBe('other');
    expect(await results(next)).toEqual([]);
  });

  test('R5 T11 can be stopped, interrupted, and spoken behind, like before', async () => {
    const { host, talk } = await scene();
    await talk.say(CLARIFY);
    await talk.comes('question');
    await host.kill();
    const next = talk.on(await host.again());
    expect((await next.say('say behind')).disposition).toBe('queued');
    expect(await next.state()).toBe('waiting');
    await next.host.client.stop(talk.id);
    await next.ended(2);
    expect((await next.entries()).find(({ kind }) => kind === 'turnEnded')).toMatchObject({ reason: 'stopped' });
    expect((await next.words()).at(-1)).toBe('behind');
    expect(await results(next)).toEqual([]);
  });

  test('R5 T3 is not answered by a wake that comes after the restart', async () => {
    const { host, talk } = await scene();
    await talk.say(CLARIFY);
    const { question } = await talk.comes('question');
    await host.kill();
    const next = talk.on(await host.again());
    await next.host.client.notify(talk.id, 'yes');
    await waits(next);
    await next.host.client.answer(talk.id, question, 'mine');
    await next.ended(2);
    expect((await next.entries()).filter(({ kind }) => kind === 'answer')).toMatchObject([{ text: 'mine' }]);
  });
});
