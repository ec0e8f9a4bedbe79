import { describe, expect, test } from 'vitest';
import { dice } from '../support/dice.js';
import { startHost } from '../support/host.js';
import { expectSound, expectToldOnce } from '../support/sound.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const ROUNDS = 20;
const config = { budget: { wakes: 10_000 }, limits: { processes: 1_000, processesPerSession: 1_000 } };

/** Nothing runs, nothing waits, nothing is owed. */
const atRest = (talk: Talk) =>
  until(
    `${talk.id} is at rest`,
    async () => {
      const { session, waiting } = await talk.host.client.session(talk.id, { entries: 0 });
      return session.state === 'idle' && session.owed + session.running + waiting.length === 0;
    },
    240_000,
  );

async function expectAllServed(talk: Talk): Promise<void> {
  const [entries, notices] = [await talk.entries(), await talk.notices()];
  expectSound(entries, 'after the races');
  expectToldOnce(entries, notices, 'after the races');
  expect(entries.filter(({ kind }) => kind === 'message')).toHaveLength(ROUNDS);
  expect(entries.filter(({ kind }) => kind === 'turnBegan')).toHaveLength(
    entries.filter(({ kind }) => kind === 'turnEnded').length,
  );
}

describe('nothing is stranded and no two turns run at once', () => {
  test(
    'T2 when processes end around the moment in which their turn ends, many times',
    { timeout: 300_000 },
    async () => {
      const roll = dice(1);
      const talk = await Talk.begin(await startHost({ config }));
      for (let round = 0; round < ROUNDS; round++) {
        const command = `sleep 0.0${Math.floor(roll() * 9)}`;
        const start = JSON.stringify({ command, background: true, notify_on_complete: true });
        await talk.say(`call terminal ${start}\nhold ${Math.floor(roll() * 90)}\nsay ${round}`);
      }
      await atRest(talk);
      await expectAllServed(talk);
      expect(await talk.notices()).toHaveLength(ROUNDS);
    },
  );

  test('T3 when a person writes while a wake begins, many times', { timeout: 300_000 }, async () => {
    const roll = dice(2);
    const talk = await Talk.begin(await startHost({ config }));
    const { client } = talk.host;
    for (let round = 0; round < ROUNDS; round++) {
      const wake = client.notify(talk.id, `notice ${round}`);
      if (roll() < 0.5) await wake;
      await Promise.all([wake, talk.say(`say ${round}`)]);
      if (roll() < 0.3) await atRest(talk);
    }
    await atRest(talk);
    await expectAllServed(talk);
    expect(await talk.notices()).toHaveLength(ROUNDS);
  });
});
