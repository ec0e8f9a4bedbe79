import { describe, expect, test } from 'vitest';
import { sharedHost, startHost, type TestHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const HOLD = 'hold 60000';

/** A session whose turn is busy until somebody ends it. */
async function busy(first = HOLD, host?: TestHost) {
  host ??= await sharedHost();
  const talk = await Talk.begin(host);
  await talk.say(first);
  await talk.comes('message');
  const change = (id: string, changes: { text?: string; mode?: 'queue' | 'steer' | 'interrupt' }) =>
    host.client.changeMessage(talk.id, id, changes);
  return { host, talk, change };
}

const said = async (talk: Talk) =>
  (await talk.entries()).flatMap((entry) => (entry.kind === 'message' ? [entry.text] : []));

describe('a message that waits', () => {
  test('T8 says what it was changed to, is served in its place, and is not said when it was withdrawn', async () => {
    const { host, talk, change } = await busy();
    const [one, two] = [(await talk.say('say one')).message, (await talk.say('say two')).message];
    await talk.say('say three');
    expect((await change(one.id, { text: 'say first' })).message).toMatchObject({ id: one.id, state: 'waiting' });
    expect((await host.client.withdraw(talk.id, two.id)).message.state).toBe('withdrawn');
    const { waiting, session } = await host.client.session(talk.id);
    expect([waiting.map(({ text }) => text), session.waiting]).toEqual([['say first', 'say three'], 2]);
    await host.client.stop(talk.id);
    await talk.ended(3);
    expect(await talk.words()).toEqual(['first', 'three']);
  });

  test('T8 R7 stays changed and withdrawn over a kill of the host', async () => {
    const { host, talk, change } = await busy(HOLD, await startHost());
    const [one, two] = [(await talk.say('say one')).message, (await talk.say('say two')).message];
    await change(one.id, { text: 'say first' });
    await host.client.withdraw(talk.id, two.id);
    await host.kill();
    const again = talk.on(await host.again());
    await again.host.client.stop(talk.id);
    await until('it was answered', async () => (await again.words()).includes('first'));
    expect(await said(again)).toEqual([HOLD, 'say first']);
  });

  test('T8 ends the turn at once when it is made an interrupt', async () => {
    const { talk, change } = await busy();
    await talk.say('say later');
    const { id } = (await talk.say('say now')).message;
    await change(id, { mode: 'interrupt' });
    await talk.ended(3);
    expect(await talk.words()).toEqual(['now', 'later']);
  });

  test('T8 is told at the next step when it is made to steer', async () => {
    const { talk, change } = await busy('hold 300\ncall process {"action":"list"}\n'.repeat(40));
    const { id } = (await talk.say('say steered')).message;
    await change(id, { mode: 'steer' });
    await until('it was told', async () => (await said(talk)).includes('say steered'));
    expect((await talk.turns()).length).toBe(1);
  });

  test('T11 does not answer the question that waits when it is made to steer: it is told at the next step', async () => {
    const { host, talk, change } = await busy('call clarify {"question":"Which one?"}');
    const { question } = await talk.comes('question');
    const { id } = (await talk.say('yes')).message;
    const { message } = await change(id, { mode: 'steer' });
    expect(message.state).toBe('waiting');
    expect(await talk.state()).toBe('waiting');
    await host.client.answer(talk.id, question, 'right');
    await until('it was told', async () => (await said(talk)).includes('yes'));
    expect(await talk.comes('answer')).toMatchObject({ text: 'right', by: 'person', via: { kind: 'token' } });
  });
});

describe('a message that waits no longer', () => {
  test('is refused in a sentence, and nothing is changed', async () => {
    const { host, talk, change } = await busy();
    const [first] = await talk.entries().then((all) => all.flatMap((e) => (e.kind === 'message' ? [e.message] : [])));
    const id = first ?? '';
    const settled = { word: 'already-settled', problem: { status: 409, detail: expect.stringContaining('is begun') } };
    await expect(change(id, { text: 'say other' })).rejects.toMatchObject(settled);
    await expect(host.client.withdraw(talk.id, id)).rejects.toMatchObject(settled);
    const { id: waits } = (await talk.say('say one')).message;
    await host.client.withdraw(talk.id, waits);
    await expect(host.client.withdraw(talk.id, waits)).rejects.toMatchObject({ word: 'already-settled' });
    expect(await said(talk)).toEqual([HOLD]);
  });

  test('is not found in another session, nor by another name', async () => {
    const { host, talk } = await busy();
    const { id } = (await talk.say('say one')).message;
    const other = await Talk.begin(host);
    for (const [session, message] of [
      [other.id, id],
      [talk.id, 'msg_000000000000'],
      [talk.id, 'one'],
    ] as const)
      await expect(host.client.withdraw(session, message)).rejects.toMatchObject({ word: 'not-found' });
    await expect(host.client.changeMessage(talk.id, id, {})).rejects.toMatchObject({ word: 'invalid' });
  });
});
