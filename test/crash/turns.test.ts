/**
 * The host killed with -9 at every durable step of a turn, and the next one killed again while it takes up what the
 * first has left. Commands stamp what they did into a file outside of Rouse's home.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EntryView } from '../../src/contract/journal.js';
import { newFolder } from '../support/clean-up.js';
import { startHost } from '../support/host.js';
import { expectAnswered, expectSound, expectToldOnce } from '../support/sound.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';
import { atEveryFault, bootUntilFault, untilFault } from '../support/until-fault.js';

/** What commands see of the test. */
class Outside {
  readonly folder = newFolder();
  readonly stamp = join(this.folder, 'stamp');
  readonly gate = join(this.folder, 'gate');

  /** How often the command was started. */
  get started(): number {
    return existsSync(this.stamp) ? readFileSync(this.stamp, 'utf8').split('\n').length - 1 : 0;
  }

  letGo(): void {
    writeFileSync(this.gate, '');
  }
}

type Scenario = {
  readonly steps: number;
  /** All that is said. Whoever was cut off says it again with the same key, and it counts once. */
  readonly messages: readonly string[];
  readonly config?: object;
  /** With the host that dies. */
  readonly act: (talk: Talk) => Promise<unknown>;
  /** With those that take over, before all has to come to rest. */
  readonly goOn?: (talk: Talk) => Promise<unknown>;
  /** When all has come to rest. */
  readonly check?: (talk: Talk, when: string) => Promise<unknown>;
};

const call = (tool: string, input: object) => `call ${tool} ${JSON.stringify(input)}`;

const send = (talk: Talk, text: string, mode: 'queue' | 'steer' = 'queue') =>
  talk.host.client.send(talk.id, text, { mode, key: text });

const untilAskedOrIdle = (talk: Talk) =>
  until('it asks, or is idle', async () => {
    const state = await talk.state();
    return state !== 'running' && state;
  });

/** A question that still waits after the kill, or that is only put now. */
async function answerWhatWaits(talk: Talk, text: string): Promise<void> {
  if ((await untilAskedOrIdle(talk)) !== 'waiting') return;
  await talk.host.client.answer(talk.id, (await talk.comes('question')).question, text);
}

/** R5: a question that was put has one answer and one result, whatever was killed. A call that never asked was cut off. */
async function expectAnsweredOnce(talk: Talk, result: string, when: string): Promise<void> {
  const entries = await talk.entries();
  const count = (kind: EntryView['kind']) => entries.filter((entry) => entry.kind === kind).length;
  expect(count('toolCall'), when).toBe(1);
  if (count('question') === 0) return;
  expect([count('question'), count('answer'), count('toolResult')], when).toEqual([1, 1, 1]);
  expect(
    entries.find((entry) => entry.kind === 'toolResult'),
    when,
  ).toMatchObject({
    result: expect.stringContaining(result),
  });
}

const ANSWER = 'the left one';
const HOLD = 'hold 600000';

const scenarios: Record<string, (outside: Outside) => Scenario> = {
  'a turn with a command in the foreground': ({ stamp }) => {
    const message = `${call('terminal', { command: `echo ran >> ${stamp}; exit 3` })}\nsay done`;
    return {
      steps: 6,
      messages: [message],
      act: async (talk) => {
        await send(talk, message);
        await talk.ended(1);
      },
      check: async (talk) => expect((await talk.words()).join('\n')).toContain('done'),
    };
  },
  'a start in the background and its wake': ({ stamp }) => {
    const start = { command: `echo ran >> ${stamp}; exit 2`, background: true, notify_on_complete: true };
    const message = `${call('terminal', start)}\nsay started`;
    return {
      steps: 9,
      messages: [message],
      act: async (talk) => {
        await send(talk, message);
        await talk.ended(2);
      },
      check: async (talk, when) => {
        // Even a command that was never started is told of, once its record was stored.
        const known = (await talk.host.client.list({ session: talk.id })).length;
        expect(await talk.notices(), when).toHaveLength(known);
      },
    };
  },
  'a question and its answer': () => {
    const message = `${call('clarify', { question: 'Which one?' })}\nsay thanks`;
    const other = 'say other';
    return {
      steps: 6,
      messages: [message, other],
      act: async (talk) => {
        await send(talk, message);
        const { question } = await talk.comes('question');
        await talk.host.client.answer(talk.id, question, ANSWER);
        await talk.ended(1);
      },
      // R5: a question that waited waits on, and what is said next has nothing to do with it.
      goOn: async (talk) => {
        await answerWhatWaits(talk, ANSWER);
        await send(talk, other);
      },
      check: async (talk, when) => {
        const words = await talk.words();
        expect(words.at(-1), when).toContain('other');
        expect(words.join('\n'), when).toContain('thanks');
        await expectAnsweredOnce(talk, `A person answered: ${ANSWER}`, when);
      },
    };
  },
  'an approval and the command that it lets run': (outside) => {
    const { stamp } = outside;
    const command = `echo ran >> ${stamp}`;
    const message = `${call('terminal', { command })}\nsay done`;
    return {
      steps: 8,
      messages: [message],
      config: { approval: 'ask' },
      act: async (talk) => {
        await send(talk, message);
        const { question } = await talk.comes('question');
        await talk.host.client.answer(talk.id, question, 'yes');
        await talk.ended(1);
      },
      goOn: (talk) => answerWhatWaits(talk, 'yes'),
      check: async (talk, when) => {
        expect((await talk.words()).join('\n'), when).toContain('done');
        await expectAnsweredOnce(talk, 'Process proc_', when);
        // Stored and never launched is the one way in which an approved command does not run; the result says so.
        const [known] = await talk.host.client.list({ session: talk.id });
        expect(outside.started, `${when}: ran`).toBe(known?.end?.kind === 'exited' ? 1 : 0);
      },
    };
  },
  'a stop': () => {
    let stopped = false;
    return {
      steps: 3,
      messages: [],
      act: async (talk) => {
        await send(talk, HOLD);
        await talk.host.client.stop(talk.id);
        stopped = true;
        await talk.ended(1);
      },
      goOn: async (talk) => {
        await send(talk, HOLD);
        await talk.host.client.stop(talk.id);
      },
      // What a person has ended does not go on by itself.
      check: async (talk, when) => {
        const resumed = (await talk.turns()).filter(({ by }) => by === 'resume');
        if (stopped) expect(resumed, when).toEqual([]);
        expect((await talk.entries()).findLast(({ kind }) => kind === 'turnEnded')).toMatchObject({
          reason: 'stopped',
        });
      },
    };
  },
  'a message that steers': (outside) => {
    const { stamp, gate } = outside;
    const command = `echo ran >> ${stamp}; while [ ! -e ${gate} ]; do sleep 0.02; done`;
    const message = `${call('terminal', { command })}\nsay done`;
    const steer = 'say steered';
    return {
      steps: 8,
      messages: [message, steer],
      act: async (talk) => {
        await send(talk, message);
        await until('it runs', () => outside.started === 1);
        await send(talk, steer, 'steer');
        await until('it was told', async () => (await talk.words()).some((text) => text.includes('steered')));
        outside.letGo();
        await talk.ended(2);
      },
      goOn: async (talk) => {
        outside.letGo();
        await send(talk, steer, 'steer');
      },
    };
  },
};

/** Nothing runs, nothing waits, nothing is owed. */
async function atRest(talk: Talk): Promise<void> {
  await until(`${talk.id} is at rest`, async () => {
    const { session, waiting } = await talk.host.client.session(talk.id, { entries: 0 });
    return session.state === 'idle' && session.owed === 0 && session.running === 0 && waiting.length === 0;
  });
}

const freshHost = (config: object = {}) =>
  startHost({ config: { turns: { drainMs: 0 }, resume: { badBoots: 20 }, ...config }, fault: 'later' });

/** After so many steps a home is left: when 20 boots in a row have ended badly, nothing is resumed any more (R8). */
const STEPS_A_HOME = 8;

/** Right before each durable call, which is right behind the one before it. */
const pointOf = (step: number) => 2 * step - 1;

/** The points of a host that takes over, boot included, at which it is killed in its turn: another one each time. */
const SECOND_KILLS = 24;

describe('1 the host killed with -9 at every durable step, and again while it resumes', () => {
  test.each(Object.keys(scenarios))('R1 T2 T7 N5 N7 of %s', { timeout: 900_000 }, async (name) => {
    const scenarioOf = scenarios[name] as (outside: Outside) => Scenario;
    let [diedAgain, steps] = [0, 0];
    // Each host ends what the one before it has left, and is the next to die: a boot is what costs the time here.
    const { config } = scenarioOf(new Outside());
    let host = await freshHost(config);
    const reached = await atEveryFault(async (step) => {
      const fault = pointOf(step);
      const outside = new Outside();
      const scenario = scenarioOf(outside);
      steps = scenario.steps;
      const first = await Talk.begin(host);
      const outcome = await untilFault(host, fault, () => scenario.act(first));
      const takeUp = async (talk: Talk) => {
        if (scenario.messages[0]) await send(talk, scenario.messages[0]);
        await scenario.goOn?.(talk);
        await atRest(talk);
      };
      // Two kills for every second step.
      const again = step % 2 === 0 ? 1 + ((step * 5) % SECOND_KILLS) : undefined;
      if (again && (await bootUntilFault(host.home, again, (next) => takeUp(first.on(next)))) === 'died') diedAgain++;
      host = await host.again({ fault: 'later' });
      const talk = first.on(host);
      const when = `killed at ${fault}, then at ${again ?? 'none'}`;
      await takeUp(talk);
      const entries = await talk.entries();
      expectSound(entries, when);
      expectToldOnce(entries, await talk.notices(), when);
      for (const text of scenario.messages) expectAnswered(entries, text, when);
      expect(outside.started, `${when}: starts`).toBeLessThanOrEqual(1);
      await scenario.check?.(talk, when);
      if (step % STEPS_A_HOME === 0) {
        await host.kill();
        host = await freshHost(config);
      }
      return outcome;
    });
    expect(reached).toBeGreaterThanOrEqual(steps);
    expect(diedAgain).toBeGreaterThanOrEqual(Math.floor(steps / 6));
  });
});
