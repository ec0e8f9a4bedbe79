import { describe, expect, test } from 'vitest';
import { sharedHost, startHost, type TestHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const sceneOn = async (host: TestHost) => ({ host, talk: await Talk.begin(host) });

const scene = async (config: object = {}) => sceneOn(await sharedHost(config));

/** For a test that ends its host. */
const ownScene = async (config: object = {}) => sceneOn(await startHost({ config }));

const HOLD = 'hold 60000';

describe('a message', () => {
  test('is answered in a turn of its own, in order', async () => {
    const { talk } = await scene();
    expect((await talk.say('say one')).disposition).toBe('started');
    await talk.say('say two');
    await talk.ended(2);
    expect(await talk.words()).toEqual(['one', 'two']);
    const turn = ['turnBegan', 'message', 'text', 'turnEnded'];
    expect(await talk.kinds()).toEqual([...turn, ...turn]);
  });

  test('T8 with the same key is taken once', async () => {
    const { host, talk } = await scene();
    const first = await host.client.send(talk.id, 'say hello', { key: 'k' });
    await talk.ended(1);
    const again = await host.client.send(talk.id, 'say hello', { key: 'k' });
    expect(again).toMatchObject({ disposition: 'duplicate', message: { id: first.message.id } });
    expect(await talk.words()).toEqual(['hello']);
  });

  test('T8 with the same key and another text is refused in a sentence, and nothing is sent', async () => {
    const { host, talk } = await scene();
    const { message } = await host.client.send(talk.id, 'say hello', { key: 'k' });
    await expect(host.client.send(talk.id, 'say bye', { key: 'k' })).rejects.toMatchObject({
      word: 'key-taken',
      problem: {
        status: 409,
        detail: `Message ${message.id} of session ${talk.id} already uses key "k" with a different text. Nothing was sent; use a new key for a new message.`,
      },
    });
    await host.client.send(talk.id, 'say bye', { key: 'other' });
    await talk.ended(2);
    expect(await talk.words()).toEqual(['hello', 'bye']);
  });

  test('T8 queue waits for the turn that runs, steer is told at its next step, interrupt ends it', async () => {
    const { talk } = await scene();
    await talk.say(
      'call terminal {"command":"sleep 600","background":true}\nhold 300\ncall process {"action":"list"}\nhold 300\nsay end',
    );
    await talk.comes('toolCall');
    expect((await talk.say('say queued', 'queue')).disposition).toBe('queued');
    expect((await talk.say('say steered', 'steer')).disposition).toBe('steered');
    const entries = await talk.ended(2);
    const at = (text: string) => entries.findIndex((entry) => entry.kind === 'message' && entry.text === text);
    const firstEnd = entries.findIndex(({ kind }) => kind === 'turnEnded');
    expect(at('say steered')).toBeGreaterThan(0);
    expect(at('say steered')).toBeLessThan(firstEnd);
    expect(at('say queued')).toBeGreaterThan(firstEnd);
    await talk.say(HOLD);
    await until('it runs', async () => (await talk.state()) === 'running');
    expect((await talk.say('say now', 'interrupt')).disposition).toBe('interrupted');
    await talk.ended(4);
    const reasons = (await talk.entries()).flatMap((entry) => (entry.kind === 'turnEnded' ? [entry.reason] : []));
    expect(reasons.slice(2)).toEqual(['interrupted', 'finished']);
  });

  test('T7 an interrupted turn writes nothing after its end', async () => {
    const { talk } = await scene();
    await talk.say('call terminal {"command":"sleep 1; echo late"}\nsay late');
    await talk.comes('toolCall');
    await talk.say('say now', 'interrupt');
    const entries = await talk.ended(2);
    const [first] = await talk.turns();
    const own = entries.filter(({ turn }) => turn === first?.turn).map(({ kind }) => kind);
    expect(own.at(-1)).toBe('turnEnded');
    expect(own).not.toContain('toolResult');
    expect(await talk.words()).toEqual(['now']);
  });

  test('T8 R7 that waits is kept over a kill of the host, and served once', async () => {
    const { host, talk } = await ownScene();
    await talk.say(HOLD);
    await until('it runs', async () => (await talk.state()) === 'running');
    await talk.say('say kept');
    await host.kill();
    const next = talk.on(await host.again());
    await next.host.client.stop(talk.id);
    await until('it was served', async () => (await next.words()).includes('kept'));
    expect((await next.words()).filter((text) => text === 'kept')).toHaveLength(1);
  });

  test('T3 comes before a wake that is due at the same moment, and both are served', async () => {
    const { host, talk } = await scene();
    await talk.say(HOLD);
    await until('it runs', async () => (await talk.state()) === 'running');
    await host.client.notify(talk.id, 'deployed');
    await talk.say('say person');
    await host.client.stop(talk.id);
    await talk.ended(3);
    expect((await talk.turns()).map(({ by }) => by)).toEqual(['person', 'person', 'wake']);
  });

  test('is refused in a sentence when it is empty, too long, or for a closed session', async () => {
    const { host, talk } = await scene();
    await expect(talk.say('   ')).rejects.toThrow('text: it is empty');
    await expect(talk.say('x'.repeat(1_000_001))).rejects.toThrow('1,000,000');
    await host.client.changeSession(talk.id, { closed: true });
    await expect(talk.say('hello')).rejects.toThrow('is closed');
  });
});

describe('a stop', () => {
  test('T5 ends the turn and not its processes, whose end still wakes', async () => {
    const { host, talk } = await scene();
    await talk.say(`call terminal {"command":"sleep 1; exit 4","background":true,"notify_on_complete":true}\n${HOLD}`);
    await talk.comes('toolResult');
    expect((await host.client.stop(talk.id)).outcome).toBe('stopped');
    const entries = await talk.ended(2);
    expect(entries.find((entry) => entry.kind === 'turnEnded')).toMatchObject({ reason: 'stopped' });
    expect((await talk.turns()).map(({ by }) => by)).toEqual(['person', 'wake']);
    expect((await host.client.stop(talk.id)).outcome).toBe('nothing-runs');
  });

  test('13 during a tool call leads to no further call of that turn', async () => {
    const { host, talk } = await scene();
    await talk.say('call terminal {"command":"sleep 600"}\ncall terminal {"command":"echo second"}');
    await talk.comes('toolCall');
    await host.client.stop(talk.id);
    const entries = await talk.ended(1);
    expect(entries.filter(({ kind }) => kind === 'toolCall')).toHaveLength(1);
    expect((await host.client.list({ session: talk.id })).filter(({ state }) => state === 'running')).toHaveLength(1);
  });
});

describe('a turn that fails', () => {
  test('T10 says so once, pauses wakes with a visible reason, keeps what is owed, and goes on when a person speaks', async () => {
    const { host, talk } = await scene();
    await talk.say('fail no-credit');
    await talk.ended(1);
    expect(await talk.state()).toBe('paused');
    for (const text of ['one', 'two', 'three']) await host.client.notify(talk.id, text);
    const { session } = await host.client.session(talk.id);
    expect(session).toMatchObject({ state: 'paused', owed: 3, pausedWhy: expect.stringContaining('no-credit') });
    expect(await talk.turns()).toHaveLength(1);
    await talk.say('say back');
    const entries = await talk.ended(3);
    expect(entries.findLast((entry) => entry.kind === 'wake')?.causes).toHaveLength(3);
    expect(entries.filter((entry) => entry.kind === 'note' && entry.about === 'paused')).toHaveLength(1);
  });
});

describe('a question', () => {
  const ASK = 'call clarify {"question":"Which one?","choices":["a","b"]}\nsay thanks';

  test('T11 waits for a person; wakes do not answer it and come after', async () => {
    const { host, talk } = await scene();
    await talk.say(ASK);
    const question = await talk.comes('question');
    expect(await talk.state()).toBe('waiting');
    await host.client.notify(talk.id, 'yes, a, do it');
    await host.client.answer(talk.id, question.question, 'b');
    const entries = await talk.ended(2);
    expect(entries.find((entry) => entry.kind === 'answer')).toMatchObject({ text: 'b', by: 'person' });
    expect((await talk.turns()).map(({ by }) => by)).toEqual(['person', 'wake']);
    await expect(host.client.answer(talk.id, question.question, 'a')).rejects.toThrow('is no longer open');
  });

  test('T11 that nobody answers in time ends as a boundary, said to the model', async () => {
    const { talk } = await scene({ turns: { questionMs: 300 } });
    await talk.say(ASK);
    const entries = await talk.ended(1);
    expect(entries.find((entry) => entry.kind === 'answer')).toMatchObject({ by: 'timeout' });
    expect(entries.find((entry) => entry.kind === 'toolResult')?.kind).toBe('toolResult');
  });

  test('of two answers at the same moment one counts', async () => {
    const { host, talk } = await scene();
    await talk.say(ASK);
    const { question } = await talk.comes('question');
    const outcomes = await Promise.allSettled(['a', 'b'].map((text) => host.client.answer(talk.id, question, text)));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await talk.ended(1);
    expect((await talk.entries()).filter(({ kind }) => kind === 'answer')).toHaveLength(1);
  });
});

describe('a session that nobody named', () => {
  const titleOf = async ({ host, id }: Talk) => (await host.client.session(id)).session.title;

  test('is called by the first words that are said in it, without their secrets', async () => {
    const { host, talk } = await scene();
    expect(await titleOf(talk)).toBe('Untitled');
    await talk.say(`say first\nwith password=hunter2hunter2 ${host.token}`);
    expect(await titleOf(talk)).toBe('say first with password=[redacted] [redacted]');
    await talk.say('say second');
    await talk.ended(2);
    expect(await titleOf(talk)).toBe('say first with password=[redacted] [redacted]');
  });

  test('keeps the name that a person gave it', async () => {
    const { host, talk } = await scene();
    await host.client.changeSession(talk.id, { title: 'Untitled' });
    await talk.say('say first');
    await talk.ended(1);
    expect(await titleOf(talk)).toBe('Untitled');
  });
});

describe('what a person has seen', () => {
  test('L9 counts answers as unread until they are seen, also over a restart, and does not move the session', async () => {
    const { host, talk } = await ownScene();
    await talk.say('say one');
    await talk.say('say two');
    const entries = await talk.ended(2);
    const before = (await host.client.session(talk.id)).session;
    expect(before).toMatchObject({ unread: 2, seenSeq: 0, waiting: 0 });
    const first = entries.find(({ kind }) => kind === 'text')?.seq ?? 0;
    const { session } = await host.client.seen(talk.id, first);
    expect(session).toEqual({ ...before, unread: 1, seenSeq: first });
    await host.client.seen(talk.id, 0);
    await host.kill();
    const again = await host.again();
    expect((await again.client.sessions())[0]).toMatchObject({ unread: 1, seenSeq: first });
    const { seq } = await again.client.session(talk.id);
    const all = (await again.client.seen(talk.id, Number.MAX_SAFE_INTEGER)).session;
    expect(all).toMatchObject({ unread: 0, seenSeq: seq });
  });

  test('T8 counts the messages that wait', async () => {
    const { host, talk } = await scene();
    await talk.say(HOLD);
    await talk.say('say one');
    await talk.say('say two');
    expect((await host.client.session(talk.id)).session.waiting).toBe(2);
  });
});
