/**
 * A thousand facts, owed to sessions with a webhook by a host that is killed with -9 at random moments, also while it
 * starts: at the end the webhook has had each of them, and each under one id. A failing seed is in the title of the test.
 */
import { expect, test } from 'vitest';
import type { ProcessView } from '../../src/contract/process.js';
import { answered } from '../support/answered.js';
import { dice } from '../support/dice.js';
import { factsTold } from '../support/facts.js';
import { exited, spawnHost, startHost, type TestHost } from '../support/host.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

const receiver = await Receiver.open();

const KILLS = 20;
/** In each round: so many of each kind. */
const COMPLETIONS = 25;
const MATCHES = 5;
const MESSAGES = 20;
const SESSIONS = 4;
const SEED = Number(process.env['ROUSE_TEST_SEED'] ?? Date.now() % 1_000_000);
const roll = dice(SEED);

type Plan = {
  readonly kind: 'completion' | 'match' | 'message';
  /** Names the process or is the key of the message: what was cut off is found again by it. */
  readonly name: string;
  readonly session: string;
};

const plansOf = (round: number, sessions: readonly string[]): readonly Plan[] =>
  Object.entries({ completion: COMPLETIONS, match: MATCHES, message: MESSAGES }).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => ({
      kind: kind as Plan['kind'],
      name: `${kind}-${round}-${index}`,
      session: sessions[index % sessions.length] ?? '',
    })),
  );

function carryOut({ client }: TestHost, { kind, name, session }: Plan): Promise<unknown> {
  switch (kind) {
    case 'completion':
      return client.start({ session, name, command: `echo ${name}; exit 3`, notifyOnComplete: true });
    case 'match':
      return client.start({ session, name, command: `echo ready ${name}; read x`, watchPatterns: ['ready'] });
    case 'message':
      return client.notify(session, name, { key: name });
  }
}

/** Stands for the plan: a start that was cut off may have happened, or it is known that it never will. */
const isOf = (plan: Plan) => (process: ProcessView) =>
  process.name === plan.name && (plan.kind === 'completion' || process.end?.kind !== 'lost');

/** After the restart: whatever was not answered, and did not happen, is asked for again. */
async function makeUp(host: TestHost, plans: readonly Plan[]): Promise<void> {
  const known = await host.client.list({ limit: 5_000 });
  const missing = plans.filter((plan) => plan.kind === 'message' || !known.some(isOf(plan)));
  await Promise.all(missing.map((plan) => carryOut(host, plan)));
}

/** Sometimes it is killed again before it serves. */
async function killAndRestart(host: TestHost): Promise<TestHost> {
  await host.kill();
  if (roll() < 0.3) {
    const { child } = spawnHost({ home: host.home });
    await moment(1_000);
    child.kill('SIGKILL');
    await exited(child);
  }
  return host.again();
}

const moment = (longestMs: number) => new Promise((later) => setTimeout(later, roll() * longestMs));

test(
  `1 N7 a thousand facts under random kills: none lost, none told twice (seed ${SEED})`,
  { timeout: 900_000 },
  async () => {
    const config = {
      limits: { processes: 5_000, processesPerSession: 5_000 },
      breaker: { max: 10_000 },
      delivery: { firstRetryMs: 10 },
    };
    let host = await startHost({ config });
    const sessions: string[] = [];
    for (let index = 0; index < SESSIONS; index++)
      sessions.push((await host.client.createSession({ webhook: receiver.webhook })).session.id);
    const plans: Plan[] = [];
    for (let round = 0; round < KILLS; round++) {
      const batch = plansOf(round, sessions);
      plans.push(...batch);
      const asked = batch.map((plan) => carryOut(host, plan).catch(() => undefined));
      await answered(asked, Math.floor(roll() * batch.length));
      await moment(30);
      host = await killAndRestart(host);
      await Promise.all(asked);
      await makeUp(host, batch);
    }
    const processes = await host.client.list({ limit: 5_000 });
    const owed = plans.map((plan) => {
      const [process, ...more] = processes.filter(isOf(plan));
      expect(more, `second starts of ${plan.name}`).toEqual([]);
      if (plan.kind === 'message') return `message nobody ${plan.name}`;
      if (plan.kind === 'completion') return `completion ${process?.id}`;
      return `watch_match ${process?.id} ready ${plan.name}`;
    });
    expect(new Set(owed).size).toBe(1_000);
    await until('all is told', () => new Set(receiver.ids).size >= 1_000, 120_000);
    await until('all is settled', async () => (await host.client.notices({ state: 'pending' })).length === 0);
    expect(factsTold(receiver)).toEqual(owed.toSorted());
    for (const { id } of await host.client.list({ state: 'running', limit: 5_000 }))
      await host.client.write(id, '', { submit: true });
  },
);
