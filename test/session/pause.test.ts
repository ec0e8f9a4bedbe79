/** What lifts a pause, and what is served then. */
import { beforeEach, describe, expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { chatCompletions } from '../support/protocols.js';
import { ProviderServer } from '../support/provider.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

let server: ProviderServer;

beforeEach(async () => {
  server = await ProviderServer.start();
});

const says = (text: string) => ({ body: chatCompletions({ text: [text] }) });
const REFUSED = { status: 401, body: '{"error":{"message":"wrong key"}}' };

const env = ({ key = 'key-of-the-test-0123456789', model = 'openai/one' } = {}) => ({
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: `${server.url}/v1`,
  ROUSE_MODEL: model,
});

/** A session whose person asked something that the model did not answer. */
async function failed(model?: string) {
  const host = await startHost({ env: env() });
  const talk = await Talk.begin(host, model === undefined ? {} : { model });
  server.willAnswer(REFUSED);
  await talk.say('What is the answer?');
  await talk.ended(1);
  expect(await talk.state()).toBe('paused');
  return { host, talk };
}

const begunBy = async (talk: Talk) => (await talk.turns()).map(({ by }) => by);

describe('the message of a turn that failed', () => {
  test('T10 is answered when a person resumes the session, once, before the wakes that waited', async () => {
    const { host, talk } = await failed();
    await host.client.notify(talk.id, 'deployed');
    server.willAnswer(says('It is 42.'), says('I see.'));
    expect((await host.client.resumeWakes(talk.id)).outcome).toBe('resumed');
    await talk.ended(3);
    expect(await talk.words()).toEqual(['It is 42.', 'I see.']);
    expect(await begunBy(talk)).toEqual(['person', 'resume', 'wake']);
    expect(server.requests[1]?.body).toContain('What is the answer?');
    expect((await host.client.resumeWakes(talk.id)).outcome).toBe('nothing-to-resume');
    expect(await begunBy(talk)).toHaveLength(3);
    expect(await talk.state()).toBe('idle');
  });

  test('T10 is answered by the turn of the next message, and not a second time', async () => {
    const { host, talk } = await failed();
    server.willAnswer(says('Both: 42 and 43.'));
    await talk.say('And the one after it?');
    await talk.ended(2);
    expect((await host.client.resumeWakes(talk.id)).outcome).toBe('nothing-to-resume');
    expect(await begunBy(talk)).toEqual(['person', 'person']);
    expect(await talk.state()).toBe('idle');
  });

  test('T10 T12 is answered with the new model when the model of the session is changed, and wakes go on', async () => {
    const { host, talk } = await failed();
    await host.client.notify(talk.id, 'deployed');
    server.willAnswer(says('It is 42.'), says('I see.'));
    await host.client.changeSession(talk.id, { model: 'openai/two' });
    await talk.ended(3);
    expect(await talk.words()).toEqual(['It is 42.', 'I see.']);
    expect((await talk.turns()).map(({ by, model }) => [by, model])).toEqual([
      ['person', 'openai/one'],
      ['resume', 'openai/two'],
      ['wake', 'openai/two'],
    ]);
    expect(JSON.parse(server.requests[1]?.body ?? '{}')).toMatchObject({ model: 'two' });
  });

  test('T10 stays unanswered while other settings of the session change, or the model is set to what it was', async () => {
    const { host, talk } = await failed('openai/one');
    await host.client.changeSession(talk.id, { title: 'Other', model: 'openai/one' });
    expect(await talk.state()).toBe('paused');
    expect(await begunBy(talk)).toEqual(['person']);
  });

  test('T10 is answered by the next host when it has another default model, and only then', async () => {
    const { host, talk } = await failed();
    await host.stop();
    const same = talk.on(await host.again({ env: env() }));
    expect(await same.state()).toBe('paused');
    await same.host.stop();
    server.willAnswer(says('It is 42.'));
    const other = talk.on(await host.again({ env: env({ model: 'openai/two' }) }));
    await other.ended(2);
    expect(await other.words()).toEqual(['It is 42.']);
    expect((await other.turns()).at(-1)).toMatchObject({ by: 'resume', model: 'openai/two' });
  });

  test('T10 is answered by the next host when the credentials of the session’s own provider are new', async () => {
    const providers = (key: string) => ({ OTHER_KEY: key, ROUSE_MODEL: 'rehearsal' });
    const config = { providers: { other: { baseUrl: `${server.url}/v1`, apiKeyEnv: 'OTHER_KEY' } } };
    const host = await startHost({ config, env: providers('old-key-0123456789') });
    const talk = await Talk.begin(host, { model: 'other/one' });
    server.willAnswer(REFUSED);
    await talk.say('What is the answer?');
    await talk.ended(1);
    await host.stop();
    server.willAnswer(says('It is 42.'));
    const next = talk.on(await host.again({ env: providers('new-key-0123456789') }));
    await next.ended(2);
    expect(await next.words()).toEqual(['It is 42.']);
  });

  test('R1 is answered on request when a restart did not take it up by itself', async () => {
    const host = await startHost({ env: env(), config: { resume: { freshMs: 0 } } });
    const talk = await Talk.begin(host);
    server.willAnswer({ stop: { after: '', by: 'silence' } });
    await talk.say('What is the answer?');
    await until('the model was asked', () => server.requests.length === 1);
    await host.kill();
    const next = talk.on(await host.again({ env: env() }));
    expect(await next.comes('note')).toMatchObject({ about: 'notResumed' });
    server.willAnswer(says('It is 42.'));
    expect((await next.host.client.resumeWakes(talk.id)).outcome).toBe('resumed');
    await next.ended(1);
    expect(await next.words()).toEqual(['It is 42.']);
  });
});
