import { describe, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

async function scene(config: object = {}) {
  const receiver = await Receiver.open();
  const host = await startHost({ config });
  const { session } = await host.client.createSession({ title: 'Builds', webhook: receiver.webhook });
  return { receiver, host, session: session.id };
}

const stateOf = async (host: TestHost, id: string) => (await host.client.notice(id)).notice.state;

const QUICK = { delivery: { timeoutMs: 300, attempts: 3, firstRetryMs: 20, longestRetryMs: 50 } };

describe('a webhook', () => {
  test('N1 N7 gets each notice once, signed, with the text for an agent in it', async () => {
    const { receiver, host, session } = await scene();
    const { process } = await host.client.start({ session, command: 'echo built; exit 2', notifyOnComplete: true });
    const [received] = await receiver.count(1);
    expect(received).toMatchObject({ signed: true, notice: { process: process.id, kind: 'completion' } });
    expect(received?.text).toContain('| built');
    expect(received?.text).toContain('ended: exit 2');
    await until('it is delivered', async () => (await stateOf(host, received?.id ?? '')) === 'delivered');
    const { sentences } = await host.client.why(process.id);
    expect(sentences.join()).toContain('was delivered to session "Builds"');
    await host.kill();
    const after = await host.again();
    await after.client.notify(session, 'last');
    await receiver.count(2);
    expect(new Set(receiver.ids).size).toBe(2);
  });

  test('N11 that answers 500 is tried again under the same id, then given up, seen, and tried again by a person', async () => {
    const { receiver, host, session } = await scene(QUICK);
    receiver.reply = () => 500;
    const { notice } = await host.client.notify(session, 'deployed');
    await until('it is dead', async () => (await stateOf(host, notice.id)) === 'dead');
    expect(receiver.ids).toEqual([notice.id, notice.id, notice.id]);
    expect((await host.client.why(notice.id)).sentences.join()).toContain('it answered 500');
    expect(await host.client.notices({ state: 'dead' })).toMatchObject([{ id: notice.id, attempts: 3 }]);
    receiver.reply = () => 200;
    await host.client.retry(notice.id);
    await until('it is delivered', async () => (await stateOf(host, notice.id)) === 'delivered');
    await expect(host.client.retry(notice.id)).rejects.toThrow('settled already');
  });

  test('N11 that hangs is let go after the time limit and tried again', async () => {
    const { receiver, host, session } = await scene(QUICK);
    receiver.reply = (_, before) => (before === 0 ? 'hang' : 204);
    const { notice } = await host.client.notify(session, 'deployed');
    await until('it is delivered', async () => (await stateOf(host, notice.id)) === 'delivered');
    expect(receiver.ids).toEqual([notice.id, notice.id]);
  });

  test('N7 that answered after we had given up on the answer can tell the second time by the id', async () => {
    const { receiver, host, session } = await scene(QUICK);
    receiver.reply = () => 'hang';
    const { notice } = await host.client.notify(session, 'deployed');
    await until('it was given up once', async () => (await host.client.notice(notice.id)).notice.attempts === 1);
    receiver.reply = () => 200;
    receiver.answerHeld(200);
    await until('it is delivered', async () => (await stateOf(host, notice.id)) === 'delivered');
    expect(new Set(receiver.ids)).toEqual(new Set([notice.id]));
    expect((await host.client.notice(notice.id)).notice.attempts).toBe(receiver.ids.length);
  });

  test('N11 that is not there at all is told so, and the notice can be dismissed', async () => {
    const { receiver, host, session } = await scene(QUICK);
    await receiver.close();
    const { notice } = await host.client.notify(session, 'deployed');
    await until('it is dead', async () => (await stateOf(host, notice.id)) === 'dead');
    expect((await host.client.why(notice.id)).sentences.join()).toContain('could not be reached (ECONNREFUSED)');
    expect((await host.client.dismiss(notice.id)).notice).toMatchObject({ state: 'suppressed', reason: 'dismissed' });
  });

  test('N11 gets the later ones while an earlier one waits for its next attempt', async () => {
    const { receiver, host, session } = await scene({ delivery: { firstRetryMs: 600_000 } });
    receiver.reply = ({ text }) => (text.includes('| first') ? 503 : 204);
    const first = (await host.client.notify(session, 'first')).notice.id;
    const second = (await host.client.notify(session, 'second')).notice.id;
    await until('one waits', async () => (await host.client.notice(first)).notice.attempts === 1);
    await until('the other came', async () => (await stateOf(host, second)) === 'delivered');
    expect(await stateOf(host, first)).toBe('pending');
  });

  test('N7 does not follow to another address', async () => {
    const { receiver, host, session } = await scene(QUICK);
    receiver.reply = () => 302;
    const { notice } = await host.client.notify(session, 'deployed');
    await until('it is dead', async () => (await stateOf(host, notice.id)) === 'dead');
    expect((await host.client.notice(notice.id)).notice.reason).toContain('302');
  });

  test('gets what was owed before it was set', async () => {
    const { receiver, host } = await scene();
    const { session } = await host.client.createSession({ agent: 'none', title: 'Later' });
    await host.client.notify(session.id, 'early');
    await host.client.changeSession(session.id, { webhook: receiver.webhook });
    expect((await receiver.count(1))[0]?.notice.cause).toMatchObject({ text: 'early' });
  });

  test('P16 does not hold up a host that stops, and gets the rest from the next one', async () => {
    const { receiver, host, session } = await scene();
    receiver.reply = (_, before) => (before === 0 ? 'hang' : 204);
    const { notice } = await host.client.notify(session, 'deployed');
    await receiver.count(1);
    await host.stop();
    expect(host.log()).not.toContain('"fault"');
    const next = await host.again();
    await until('it is delivered', async () => (await stateOf(next, notice.id)) === 'delivered');
    expect(receiver.ids).toEqual([notice.id, notice.id]);
  });
});
