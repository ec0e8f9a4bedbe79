import { beforeAll, describe, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

let host: TestHost;
let session: string;
let other: string;

beforeAll(async () => {
  host = await startHost();
  session = (await host.client.createSession({ agent: 'none', title: 'Owner' })).session.id;
  other = (await host.client.createSession({ agent: 'none', title: 'Other' })).session.id;
});

const started = async (command: string) =>
  (await host.client.start({ session, command, notifyOnComplete: true })).process.id;

const completionOf = async (id: string) => (await host.client.notices({ process: id })).find(isCompletion);
const isCompletion = ({ kind }: { kind: string }) => kind === 'completion';

const ended = async (command = 'echo done') => {
  const id = await started(command);
  await until('it has ended', async () => (await host.client.process(id)).process.state === 'ended');
  return id;
};

describe('what shows the owner the end', () => {
  const looks: Record<string, (id: string) => Promise<unknown>> = {
    wait: (id) => host.client.wait(id, 60_000, { session }),
    poll: (id) => host.client.poll(id, session),
    log: (id) => host.client.log(id, session),
    kill: (id) => host.client.kill(id, 'TERM', { session }),
  };

  test.each(Object.keys(looks))(
    'N3 %s consumes the completion, under whatever beginning of the id was typed',
    async (how) => {
      const id = await ended();
      await looks[how]?.(id.slice(0, 14));
      expect(await completionOf(id)).toMatchObject({ state: 'consumed', reason: `${how} showed it to the agent` });
      expect((await host.client.why(id)).sentences.join()).toContain(`\`${how}\` showed it`);
    },
  );

  test('N3 consumes the completion that comes while it waits', async () => {
    const id = await started('sleep 0.3');
    await host.client.wait(id, 60_000, { session });
    expect(await completionOf(id)).toMatchObject({ state: 'consumed' });
  });

  test('N3 consumes the matches of that process too', async () => {
    const { process } = await host.client.start({ session, command: 'echo ready; read x', watchPatterns: ['ready'] });
    await until('it matched', async () => (await host.client.notices({ process: process.id })).length === 1);
    await host.client.kill(process.id, 'KILL', { session });
    expect(await host.client.notices({ process: process.id })).toMatchObject([{ state: 'consumed' }]);
  });

  test('N3 settles once: a second look changes nothing', async () => {
    const id = await ended();
    await host.client.poll(id, session);
    const first = await completionOf(id);
    await host.client.wait(id, 1_000, { session });
    expect(await completionOf(id)).toEqual(first);
  });
});

describe('what does not', () => {
  test('N4 a poll while it runs, a list, a page that does not reach the end', async () => {
    const id = await started('echo one; read x; seq 1 1000');
    await host.client.poll(id, session);
    expect(await completionOf(id)).toBeUndefined();
    await host.client.write(id, 'go', { submit: true });
    await until('it has ended', async () => (await host.client.process(id)).process.state === 'ended');
    await host.client.list({ session });
    await host.client.log(id, session, { offset: 0, limit: 10 });
    expect(await completionOf(id)).toMatchObject({ state: 'pending' });
  });

  test('L8 a look by a person, whatever he looks at', async () => {
    const id = await ended();
    await host.client.wait(id, 1_000);
    await host.client.process(id, { tail: 5 });
    await host.client.output(id);
    await host.client.kill(id);
    expect(await completionOf(id)).toMatchObject({ state: 'pending' });
  });

  test('N3 a look by another session, to which the process is unknown', async () => {
    const id = await ended();
    await expect(host.client.wait(id, 1_000, { session: other })).rejects.toThrow(/has no process/);
    await expect(host.client.poll(id, other)).rejects.toThrow(/has no process/);
    await expect(host.client.log(id, other)).rejects.toThrow(/has no process/);
    await expect(host.client.kill(id, 'TERM', { session: other })).rejects.toThrow(/has no process/);
    expect(await completionOf(id)).toMatchObject({ state: 'pending' });
  });
});
