/** What `rouse why` says of notices that are held back: by whom, and until when. */
import { describe, expect, test } from 'vitest';
import { rouse } from '../cli/rouse.js';
import { startHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const scene = async (config: object = {}) => {
  const host = await startHost({ config });
  const talk = await Talk.begin(host, { title: 'Builds' });
  const why = async (id: string) => (await host.client.why(id)).sentences;
  /** Over when a process of the session has ended and its notice waits. */
  const owes = async () => {
    const { process } = await host.client.start({ command: 'exit 3', session: talk.id, notifyOnComplete: true });
    await until('its notice waits', async () => (await host.client.notices({ process: process.id })).length === 1);
    return process.id;
  };
  return { host, talk, why, owes };
};

describe('why', () => {
  test('N14 N15 says that the budget holds a notice, with the count and the time', async () => {
    const { host, talk, why, owes } = await scene({ budget: { wakes: 1, windowMs: 3_600_000 } });
    await host.client.notify(talk.id, 'first');
    await talk.ended(1);
    const process = await owes();
    const other = (await host.client.notify(talk.id, 'second')).notice.id;
    const began = (await talk.turns())[0]?.at ?? '';
    const [sentence] = await why(process);
    expect(sentence).toContain(
      'is held back: the session has used its wake budget (1 wake in 1h without a message from a person)',
    );
    const at = /all 2 notices together at (\S+), or/.exec(sentence ?? '')?.[1] ?? '';
    expect(Math.abs(Date.parse(at) - Date.parse(began) - 3_600_000)).toBeLessThan(1_000);
    expect((await rouse(host.home, ['why', other])).stdout).toContain(`together at ${at}`);
    const ofSession = (await rouse(host.home, ['why', talk.id])).stdout.trim().split('\n');
    expect(ofSession[0]).toMatch(
      /^Session "Builds" \(ses_\w+\) is idle and has 2 notices pending: the session has used its wake budget/,
    );
    expect(ofSession).toHaveLength(3);
  });

  test('N14 T10 says that a pause holds a notice, with its reason and the remedy', async () => {
    const { talk, why, owes } = await scene();
    await talk.say('fail no-credit');
    await talk.ended(1);
    const [sentence] = await why(await owes());
    expect(sentence).toContain('are paused because a turn failed: The rehearsal model was told to fail');
    expect(sentence).toContain(`rouse resume ${talk.id}`);
  });

  test('N14 T11 says that a turn or a question to a person holds a notice, and until when', async () => {
    const { host, talk, why, owes } = await scene();
    await talk.say('hold 600000');
    await until('it runs', async () => (await talk.state()) === 'running');
    const process = await owes();
    expect((await why(process))[0]).toContain("the turn of a person's message (generation 1) is still running");
    await talk.say('call clarify {"question":"Which one?"}', 'interrupt');
    const { question, expiresAt = 0 } = await talk.comes('question');
    expect((await why(process))[0]).toContain(
      `waits for a person to answer ${question} until ${new Date(expiresAt).toISOString()}`,
    );
    await host.client.answer(talk.id, question, 'left');
    await until('it was told', async () => (await why(process))[0]?.includes('was delivered to session "Builds"'));
  });

  test('N14 says when a webhook is tried again, and that a session without a reader keeps its notices', async () => {
    const { host, why } = await scene();
    const webhook = { url: 'http://127.0.0.1:9/' };
    const { session } = await host.client.createSession({ title: 'Hooked', agent: 'none', webhook });
    const { notice } = await host.client.notify(session.id, 'deployed');
    await until('it was tried', async () => (await why(notice.id))[0]?.includes('to the webhook again at 20'));
    const alone = (await host.client.createSession({ agent: 'none' })).session.id;
    const kept = (await host.client.notify(alone, 'deployed')).notice.id;
    expect((await why(kept))[0]).toContain('the session has no agent and no webhook');
  });
});
