/**
 * The host killed with -9 at every durable step between a line that is read and a notice that is settled. Whatever the
 * dead one had done, the next host tells each fact that is owed once: counted at a webhook, by what it was told.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NoticeKind, NoticeView } from '../../src/contract/notice.js';
import type { ProcessView, StartInput } from '../../src/contract/process.js';
import { statOf } from '../../src/place/local/proc.js';
import { factOf, factsTold } from '../support/facts.js';
import { startHost, type TestHost } from '../support/host.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';
import { atEveryFault, untilFault } from '../support/until-fault.js';

const LAST = 'the last';

/** A session, its webhook, and the host that serves them at the moment. */
class Scene {
  constructor(
    readonly host: TestHost,
    readonly receiver: Receiver,
    readonly session: string,
  ) {}

  /** Where its commands run, and find what lets them go on. */
  get folder(): string {
    const folder = join(this.host.home, this.session);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  async start(name: string, command: string, more: Partial<StartInput>): Promise<string> {
    const { session, host, folder: cwd } = this;
    return (await host.client.start({ session, cwd, name, command, ...more })).process.id;
  }

  processes(): Promise<readonly ProcessView[]> {
    return this.host.client.list({ session: this.session });
  }

  /** Those whose command runs or ran; what the last host did not come to launch is known to be lost. */
  async ran(): Promise<readonly ProcessView[]> {
    const processes = await until('every start is decided', async () => {
      const all = await this.processes();
      return all.every(({ state }) => state !== 'starting') && all;
    });
    return processes.filter(({ end }) => end?.kind !== 'lost');
  }

  async ended(): Promise<readonly ProcessView[]> {
    for (const { id } of await this.processes()) await this.host.client.wait(id, 60_000);
    return this.processes();
  }

  notices(): Promise<readonly NoticeView[]> {
    return this.host.client.notices({ session: this.session });
  }

  /** Over when so many notices of this kind are settled. */
  async settled(kind: NoticeKind, count = 1): Promise<void> {
    await until(`${count} of ${kind} are settled`, async () => {
      const settled = (await this.notices()).filter((notice) => notice.kind === kind && notice.state !== 'pending');
      return settled.length >= count;
    });
  }

  /** Lets the commands go on that wait for it. However often it is said, it happens once. */
  letGo(name: string): void {
    writeFileSync(join(this.folder, name), '');
  }

  /** What was told in all, when nothing is owed any more: what is admitted last is told last. */
  async toldInAll(): Promise<readonly string[]> {
    const { notice } = await this.host.client.notify(this.session, LAST);
    await until('all is told', async () => (await this.host.client.notice(notice.id)).notice.state === 'delivered');
    const pending = (await this.notices()).filter(({ state }) => state === 'pending');
    if (pending.length > 0) throw new Error(`Still pending: ${pending.map(factOf).join(', ')}`);
    return factsTold(this.receiver).filter((fact) => fact !== factOf(notice));
  }
}

type Scenario = {
  readonly config?: object;
  /** Nobody is told before the second host serves. */
  readonly webhookLater?: boolean;
  readonly points: number;
  /** With the host that dies. */
  readonly act: (scene: Scene) => Promise<unknown>;
  /** With the next one: brings it to its end, and says which facts were owed. */
  readonly finish: (scene: Scene) => Promise<readonly string[]>;
};

const HOUR = 3_600_000;
/** On a fast machine the matches of all runs together would trip the breaker. */
const UNTRIPPED = { breaker: { max: 10_000 } };
const completion = { notifyOnComplete: true };
const watched = { watchPatterns: ['ERROR'] };
const waitFor = (name: string) => `while [ ! -e ${name} ]; do sleep 0.02; done`;

const matchThenKill = async (scene: Scene) => {
  await scene.settled('watch_match');
  for (const { id } of await scene.ran()) await scene.host.client.kill(id, 'KILL');
};

const strikesThenEnd = async (scene: Scene) => {
  await scene.settled('watch_match');
  scene.letGo('second');
  await scene.settled('watch_disabled');
  scene.letGo('end');
  await scene.settled('completion');
};

/** Made anew for each run, so that it may remember what it saw. */
const scenarios: Record<string, () => Scenario> = {
  'a completion': () => ({
    points: 10,
    act: async (scene) => {
      await scene.start('it', 'exit 3', completion);
      await scene.settled('completion');
    },
    finish: async (scene) => (await scene.ended()).map(({ id }) => `completion ${id}`),
  }),
  'a match together with the end': () => ({
    config: UNTRIPPED,
    points: 10,
    act: async (scene) => {
      await scene.start('it', 'echo ERROR; exit 3', watched);
      await scene.settled('watch_match');
    },
    finish: async (scene) => {
      const ended = (await scene.ended()).filter(({ end }) => end?.kind !== 'lost');
      return ended.map(({ id }) => `watch_match ${id} ERROR`);
    },
  }),
  'a match, and then a kill': () => ({
    config: UNTRIPPED,
    points: 14,
    act: async (scene) => {
      await scene.start('it', 'echo ERROR; read x', watched);
      await matchThenKill(scene);
    },
    finish: async (scene) => {
      const ran = await scene.ran();
      if (ran.length > 0) await matchThenKill(scene);
      return ran.map(({ id }) => `watch_match ${id} ERROR`);
    },
  }),
  'a breaker that trips and releases': () => ({
    config: { breaker: { max: 1, windowMs: HOUR, silenceMs: 200 } },
    points: 22,
    act: async (scene) => {
      for (const name of ['a', 'b']) await scene.start(name, 'echo ERROR; read x', watched);
      await scene.settled('watch_overflow_released');
      await scene.settled('watch_match', 2);
    },
    // The breaker is one for all: what the dead host did not come to is made up for, so that it is closed at the end.
    finish: async (scene) => {
      for (let count = (await scene.ran()).length; count < 2; count++)
        await scene.start('made up', 'echo ERROR; read x', watched);
      await scene.settled('watch_match', 2);
      await scene.settled('watch_overflow_released');
      const tripped = (await scene.notices()).find(({ kind }) => kind === 'watch_overflow_tripped')?.process;
      const ran = await scene.ran();
      for (const { id } of ran) await scene.host.client.kill(id, 'KILL');
      return ran.flatMap(({ id }) =>
        id === tripped
          ? [`watch_overflow_tripped ${id}`, `watch_overflow_released ${id}`, `watch_match ${id} ERROR`]
          : [`watch_match ${id} ERROR`],
      );
    },
  }),
  'the end of watching, the promotion and the end': () => ({
    config: { watch: { cooldownMs: HOUR, strikes: 1 } },
    points: 18,
    act: async (scene) => {
      const command = `echo ERROR 1; ${waitFor('second')}; echo ERROR 2; ${waitFor('end')}; exit 4`;
      await scene.start('it', command, watched);
      await strikesThenEnd(scene);
    },
    finish: async (scene) => {
      const ran = await scene.ran();
      if (ran.length > 0) await strikesThenEnd(scene);
      return ran.flatMap(({ id }) => [`completion ${id}`, `watch_disabled ${id}`, `watch_match ${id} ERROR 1`]);
    },
  }),
  'a completion that its owner waits for': () => {
    let seen = false;
    return {
      webhookLater: true,
      points: 10,
      act: async (scene) => {
        const id = await scene.start('it', 'exit 3', completion);
        seen = (await scene.host.client.wait(id, 60_000, { session: scene.session })).outcome === 'ended';
      },
      finish: async (scene) => {
        const ended = await scene.ended();
        const notices = await scene.notices();
        expect(notices).toHaveLength(ended.length);
        // N5: what he was shown is consumed; what he may not have been shown need not be.
        if (seen) expect(notices).toMatchObject([{ state: 'consumed' }]);
        return notices.filter(({ state }) => state === 'pending').map(factOf);
      },
    };
  },
  'a message that is sent again with its key': () => {
    const send = (scene: Scene) => scene.host.client.notify(scene.session, 'deployed', { key: 'd1' });
    return {
      points: 4,
      act: async (scene) => {
        await send(scene);
        await scene.settled('message');
      },
      finish: async (scene) => [factOf((await send(scene)).notice)],
    };
  },
};

describe('1 N7 the host killed with -9 at every durable step', () => {
  test.each(Object.keys(scenarios))('of %s tells each fact once', { timeout: 900_000 }, async (name) => {
    const scenario = scenarios[name] as () => Scenario;
    const { config = {}, webhookLater = false, points } = scenario();
    const receiver = await Receiver.open();
    const { webhook } = receiver;
    // Each host tells what the one before it owed, and is the next to die: a boot is what costs the time here.
    let host = await startHost({ config, fault: 'later' });
    const reached = await atEveryFault(async (fault) => {
      const { act, finish } = scenario();
      receiver.received.splice(0);
      const wanted = { agent: 'none' as const, title: 'Builds', ...(!webhookLater && { webhook }) };
      const { session } = await host.client.createSession(wanted);
      const outcome = await untilFault(host, fault, () => act(new Scene(host, receiver, session.id)));
      host = await host.again({ fault: 'later' });
      const scene = new Scene(host, receiver, session.id);
      const owed = await finish(scene);
      if (webhookLater) await host.client.changeSession(session.id, { webhook });
      expect(await scene.toldInAll(), `killed at fault point ${fault}`).toEqual(owed.toSorted());
      return outcome;
    });
    expect(reached).toBeGreaterThanOrEqual(points);
  });
});

test('3 N7 tells once what ended and what matched while the host was stopped', async () => {
  const receiver = await Receiver.open();
  const host = await startHost();
  const { session } = await host.client.createSession({ title: 'Builds', webhook: receiver.webhook });
  const scene = new Scene(host, receiver, session.id);
  const ended = await Promise.all(
    ['a', 'b', 'c'].map((name) => scene.start(name, `${waitFor('go')}; exit 3`, completion)),
  );
  const matched = await scene.start('m', `${waitFor('go')}; echo ERROR; read x`, watched);
  const pids = (await scene.processes()).flatMap(({ id, pid }) => (ended.includes(id) ? [pid ?? 0] : []));
  process.kill(host.pid, 'SIGSTOP');
  scene.letGo('go');
  await until('they have ended', () => pids.every((pid) => statOf(pid) === undefined));
  process.kill(host.pid, 'SIGCONT');
  await scene.settled('completion', 3);
  await scene.settled('watch_match');
  expect(await scene.toldInAll()).toEqual(
    [...ended.map((id) => `completion ${id}`), `watch_match ${matched} ERROR`].toSorted(),
  );
  expect(receiver.received).toHaveLength(5);
});
