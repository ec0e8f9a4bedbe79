import { describe, expect, test } from 'vitest';
import { sharedHost, startHost, type TestHost } from '../support/host.js';
import { expectSound } from '../support/sound.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const sceneOn = async (host: TestHost) => ({ host, talk: await Talk.begin(host) });

const scene = async (config: object = {}) => sceneOn(await sharedHost(config));

/** For a test that ends its host. */
const ownScene = async (config: object = {}) => sceneOn(await startHost({ config }));

const runs = (talk: Talk) => until('it runs', async () => (await talk.state()) === 'running');
const endOf = async (talk: Talk) => (await talk.entries()).findLast((entry) => entry.kind === 'turnEnded');

describe('a session', () => {
  test('T7 that is closed while a turn runs has the end of that turn in its journal, and takes up again when it is opened', async () => {
    const { host, talk } = await scene();
    await talk.say('hold 600000');
    await runs(talk);
    await talk.say('say waited');
    await host.client.changeSession(talk.id, { closed: true });
    await talk.ended(1);
    expect(await endOf(talk)).toMatchObject({ reason: 'superseded' });
    await host.client.changeSession(talk.id, { closed: false });
    await talk.say('say back');
    const entries = await talk.ended(2);
    expect(await talk.words()).toEqual(['back']);
    expectSound(entries, 'opened again');
  });

  test('T11 that is stopped while a question waits lets the question go', async () => {
    const { host, talk } = await scene();
    await talk.say('call clarify {"question":"Which one?"}\nsay thanks');
    const { question } = await talk.comes('question');
    await host.client.stop(talk.id);
    await talk.ended(1);
    expect(await endOf(talk)).toMatchObject({ reason: 'stopped' });
    await expect(host.client.answer(talk.id, question, 'a')).rejects.toThrow('is no longer open');
    await talk.say('say next');
    await talk.ended(2);
    expect(await talk.words()).toEqual(['next']);
  });

  test('N15 that spent its budget before a kill of the host gets its digest from the next one', async () => {
    const { host, talk } = await ownScene({ budget: { wakes: 1, windowMs: 10_000 } });
    await host.client.notify(talk.id, 'one');
    await talk.ended(1);
    await host.client.notify(talk.id, 'two');
    await host.client.notify(talk.id, 'three');
    await host.kill();
    const next = talk.on(await host.again());
    const told = await until('all were told', async () => {
      const causes = (await next.entries()).flatMap((entry) => (entry.kind === 'wake' ? entry.causes : []));
      return causes.length >= 3 && causes.map((cause) => (cause.kind === 'message' ? cause.text : ''));
    });
    expect(told).toEqual(['one', 'two', 'three']);
  });
});
