/**
 * 200 sessions, each with a process that ends with a code of its own, on a host that is killed at random moments. Who
 * was cut off says it again with the same key. In the end every session was woken for its own process, once.
 */
import { expect, test } from 'vitest';
import type { EntryView } from '../../src/contract/journal.js';
import { answered } from '../support/answered.js';
import { dice } from '../support/dice.js';
import { startHost, type TestHost } from '../support/host.js';
import { expectAnswered, expectSound, expectToldOnce } from '../support/sound.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const SESSIONS = 200;
const KILLS = 10;
const SEED = Number(process.env['ROUSE_TEST_SEED'] ?? Date.now() % 1_000_000);

const config = {
  limits: { processes: 1_000 },
  budget: { wakes: 1_000 },
  resume: { badBoots: 20, tries: 50 },
};

type Plan = { readonly session: string; readonly text: string; readonly code: number };

const send = (host: TestHost, { session, text }: Plan) => host.client.send(session, text, { key: 'start' });

test(
  `1 N7 T6 ${SESSIONS} sessions under ${KILLS} random kills of the host are each woken for their own, once (seed ${SEED})`,
  { timeout: 900_000 },
  async () => {
    const roll = dice(SEED);
    let host = await startHost({ config });
    const plans: Plan[] = [];
    for (let code = 0; code < SESSIONS; code++) {
      const { session } = await host.client.createSession({ title: `${code}` });
      const seconds = (roll() * 0.9).toFixed(2);
      plans.push({ session: session.id, code, text: `run \`sleep ${seconds}; exit ${code}\` and tell me` });
    }
    for (let kill = 0; kill < KILLS; kill++) {
      const each = SESSIONS / KILLS;
      const sent = plans.slice(kill * each, (kill + 1) * each).map((plan) => send(host, plan).catch(() => undefined));
      await answered(sent, Math.floor(roll() * (each + 1)));
      await new Promise((later) => setTimeout(later, roll() * 400));
      await host.kill();
      await Promise.all(sent);
      host = await host.again();
    }
    for (const plan of plans) await send(host, plan);
    await until('all are at rest', () => atRest(host), 300_000);
    let woken = 0;
    for (const plan of plans) woken += await check(new Talk(host, plan.session), plan);
    expect(woken).toBeGreaterThan(SESSIONS / 2);
  },
);

async function atRest(host: TestHost): Promise<boolean> {
  const sessions = await host.client.sessions();
  return (
    sessions.length === SESSIONS &&
    sessions.every(({ state, owed, running }) => state === 'idle' && owed === 0 && running === 0)
  );
}

/** Answers how many processes it was woken for. */
async function check(talk: Talk, { code, text }: Plan): Promise<number> {
  const when = `session ${code}`;
  const [entries, notices] = [await talk.entries(), await talk.notices()];
  const processes = await talk.host.client.list({ session: talk.id });
  expectSound(entries, when);
  expectAnswered(entries, text, when);
  expectToldOnce(entries, notices, when);
  expectNothingFinishedResumed(entries, when);
  expect(processes.length, `${when}: processes`).toBeLessThanOrEqual(1);
  expect(notices, when).toHaveLength(processes.length);
  const causes = entries.flatMap((entry) => (entry.kind === 'wake' ? entry.causes : []));
  for (const cause of causes) {
    expect(cause, when).toMatchObject({ kind: 'completion', process: processes[0]?.id, end: processes[0]?.end });
    if (processes[0]?.end?.kind === 'exited') expect(processes[0].end.code, when).toBe(code);
  }
  return causes.length;
}

function expectNothingFinishedResumed(entries: readonly EntryView[], when: string): void {
  const work = entries.filter(({ kind }) => kind !== 'note');
  for (const [at, entry] of work.entries())
    if (entry.kind === 'turnBegan' && entry.by === 'resume')
      expect(['turnEnded', 'text'], `${when}: before the resume`).not.toContain(work[at - 1]?.kind);
}
