/** Who answers a question, what is shown to those who do, and what is no answer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RouseClient } from '../../src/client/client.js';
import { newFolder } from '../support/clean-up.js';
import { startHost } from '../support/host.js';
import { Talk } from '../support/talk.js';

const SECRET = 'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

const asking = async (config: object = {}) => {
  const host = await startHost({ config: { approval: 'ask', turns: { drainMs: 0 }, ...config } });
  const talk = await Talk.begin(host);
  const stamp = join(newFolder(), 'stamp');
  const command = `echo ran >> ${stamp} # ${SECRET}`;
  await talk.say(`call terminal ${JSON.stringify({ command })}\nsay done`);
  const entry = await talk.comes('question');
  return { host, talk, stamp, command, entry, question: entry.question };
};

/** The same host, as a command inside a process would ask it. */
const inside = ({ url, token }: { url: string; token: string }) =>
  new RouseClient(url, token, { process: 'proc_inside' });

const refusedInside = { word: 'inside-process', problem: { status: 403 } };

describe('the exact command', () => {
  test('P20 is shown to those who answer, over a restart too, and to nobody else', async () => {
    const { host, talk, command, entry, question } = await asking();
    const shown = [{ question, about: { kind: 'approval', command, place: 'local' }, choices: ['yes', 'no'] }];
    expect(await host.client.questions(talk.id)).toMatchObject(shown);
    expect(entry.about).toMatchObject({ kind: 'approval', command: expect.not.stringContaining(SECRET) });
    await host.kill();
    const next = talk.on(await host.again());
    expect(await next.host.client.questions(talk.id)).toMatchObject(shown);
    await expect(inside(next.host).questions(talk.id)).rejects.toMatchObject(refusedInside);
    await next.host.client.answer(talk.id, question, 'no');
    await next.ended(1);
    expect(await next.host.client.questions(talk.id)).toEqual([]);
  });
});

describe('an approval', () => {
  test.each(['queue', 'steer'] as const)('T11 is not given by a message that says yes: %s', async (mode) => {
    const { host, talk, stamp, question } = await asking();
    await talk.say('yes', mode);
    await host.client.notify(talk.id, 'yes');
    expect(await talk.state()).toBe('waiting');
    await host.client.answer(talk.id, question, 'no');
    await talk.comes('toolResult');
    expect(existsSync(stamp)).toBe(false);
    expect((await talk.entries()).filter(({ kind }) => kind === 'answer')).toMatchObject([
      { question, text: 'no', by: 'person', via: { kind: 'token' } },
    ]);
  });

  test('T11 is not given by an interrupt, which ends the turn', async () => {
    const { talk, stamp } = await asking();
    await talk.say('say yes', 'interrupt');
    await talk.ended(2);
    expect(existsSync(stamp)).toBe(false);
    expect((await talk.kinds()).includes('answer')).toBe(false);
  });

  test('T11 needs the id of its question, whole, and of no other', async () => {
    const { host, talk, question } = await asking();
    const answer = (id: string) => host.client.answer(talk.id, id, 'yes');
    await expect(answer('')).rejects.toMatchObject({ problem: { status: 400 } });
    await expect(answer(question.slice(0, -1))).rejects.toMatchObject({ word: 'not-found' });
    await expect(answer('qst_0000000000000000')).rejects.toMatchObject({ word: 'not-found' });
    await answer(question);
    await expect(answer(question)).rejects.toThrow('it was answered before');
    await talk.ended(1);
  });

  test('T11 N17 is never given from inside a process, whatever processes may do', async () => {
    const { host, talk, stamp, question } = await asking({ processesMay: ['answer', 'send', 'sessions'] });
    await expect(inside(host).answer(talk.id, question, 'yes')).rejects.toMatchObject(refusedInside);
    expect(await talk.state()).toBe('waiting');
    expect(existsSync(stamp)).toBe(false);
  });
});

describe('from inside a process', () => {
  test('N17 what acts for a session or lets somebody in is refused, and the sentence says what allows it', async () => {
    const host = await startHost();
    const talk = await Talk.begin(host);
    const own = await host.client.start({ command: 'sleep 60', session: talk.id });
    const free = await host.client.start({ command: 'sleep 60' });
    const client = inside(host);
    const deeds: Record<string, () => Promise<unknown>> = {
      notify: () => client.notify(talk.id, 'hello'),
      send: () => client.send(talk.id, 'hello'),
      answer: () => client.answer(talk.id, 'qst_0000000000000000', 'yes'),
      run: () => client.start({ command: 'true', session: talk.id }),
      open: () => client.signInLink(),
      processes: () => client.kill(own.process.id),
    };
    for (const [deed, attempt] of Object.entries(deeds))
      await expect(attempt(), deed).rejects.toMatchObject({
        ...refusedInside,
        message: expect.stringContaining(`add "${deed}" to "processesMay"`),
      });
    const ofSessions = [
      () => client.createSession({}),
      () => client.changeSession(talk.id, { title: 'mine' }),
      () => client.stop(talk.id),
      () => client.reset(talk.id),
      () => client.resumeWakes(talk.id),
      () => client.dismiss('ntc_000000000000'),
      () => client.wait(own.process.id, 1, { session: talk.id }),
      () => client.write(own.process.id, 'x'),
    ];
    for (const attempt of ofSessions) await expect(attempt()).rejects.toMatchObject(refusedInside);
    // Looking, and processes that are nobody's, are harmless.
    await client.sessions();
    await client.wait(own.process.id, 1);
    await client.kill(free.process.id);
    await client.start({ command: 'true' });
    expect((await host.client.process(own.process.id)).process.state).toBe('running');
    expect(await talk.entries()).toEqual([]);
  });

  test('N17 what the owner allows is done', async () => {
    const host = await startHost({ config: { processesMay: ['notify', 'answer'] } });
    const talk = await Talk.begin(host);
    await inside(host).notify(talk.id, 'hello');
    await talk.ended(1);
    await expect(inside(host).send(talk.id, 'hello')).rejects.toMatchObject(refusedInside);
    await talk.say('call clarify {"question":"Which one?"}\nsay thanks');
    const { question } = await talk.comes('question');
    await inside(host).answer(talk.id, question, 'left');
    expect(await talk.comes('answer')).toMatchObject({ via: { kind: 'process', id: 'proc_inside' } });
  });
});
