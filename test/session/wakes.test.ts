import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../support/clean-up.js';
import { sharedHost, startHost, type TestHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

const sceneOn = async (host: TestHost) => ({ host, talk: await Talk.begin(host, { title: 'Builds' }) });

const scene = async (config: object = {}) => sceneOn(await sharedHost(config));

/** For a test that ends its host. */
const ownScene = async (config: object = {}) => sceneOn(await startHost({ config }));

describe('a wake', () => {
  test('T1 N1 comes by itself with nobody there: exactly two turns, the cause before the answer', async () => {
    const { talk } = await scene();
    await talk.say('run `sleep 1; echo built; exit 2` and tell me');
    const entries = await talk.ended(2);
    expect((await talk.turns()).map(({ by }) => by)).toEqual(['person', 'wake']);
    const wake = entries.findIndex(({ kind }) => kind === 'wake');
    const answer = entries.findLastIndex(({ kind }) => kind === 'text');
    expect(wake).toBeLessThan(answer);
    expect(entries[wake]).toMatchObject({
      causes: [{ kind: 'completion', end: { kind: 'exited', code: 2 }, output: { text: 'built' } }],
    });
    expect(entries[answer]).toMatchObject({ text: expect.stringMatching(/woken by completion of proc_\w+, exit 2/) });
    const [notice] = await talk.notices();
    expect(notice).toMatchObject({ state: 'delivered', turn: entries[wake]?.turn });
    expect((await talk.host.client.why(notice?.id ?? '')).sentences.join()).toContain('in turn');
  });

  test('P12 T1 comes from the next host when the first was killed meanwhile, once', async () => {
    const { host, talk } = await ownScene();
    // Not in the home of the host, about which the agent would have to ask.
    const gate = join(newFolder(), 'gate');
    await talk.say(`run \`while [ ! -e ${gate} ]; do sleep 0.05; done; echo built; exit 2\` and tell me`);
    await talk.ended(1);
    await host.kill();
    writeFileSync(gate, '');
    const next = talk.on(await host.again());
    const entries = await next.ended(2);
    expect((await next.turns()).map(({ by }) => by)).toEqual(['person', 'wake']);
    expect(entries.findLast((entry) => entry.kind === 'text')).toMatchObject({
      text: expect.stringContaining('exit 2'),
    });
    expect(await next.notices()).toMatchObject([{ state: 'delivered' }]);
  });

  test('T2 N9 waits while a turn runs, and three that came meanwhile are one wake, in order', async () => {
    const { talk } = await scene();
    const start = (name: string) =>
      `call terminal {"command":"echo ${name}","background":true,"notify_on_complete":true}`;
    await talk.say([start('one'), start('two'), start('three'), 'hold 1500', 'say done'].join('\n'));
    const entries = await talk.ended(2);
    const wakes = entries.filter((entry) => entry.kind === 'wake');
    expect(wakes).toHaveLength(1);
    expect(wakes[0]?.causes).toHaveLength(3);
    expect((await talk.turns()).map(({ by }) => by)).toEqual(['person', 'wake']);
    const notices = (await talk.notices()).map(({ id }) => id);
    expect(wakes[0]?.causes.map(({ notice }) => notice)).toEqual(notices);
  });

  test('T4 does not wake again by its own end', async () => {
    const { host, talk } = await scene();
    await talk.say('run `true` and tell me');
    await talk.ended(2);
    await host.client.createSession({ title: 'meanwhile' });
    expect(await talk.turns()).toHaveLength(2);
    expect(await talk.state()).toBe('idle');
  });

  test('N3 does not come for an end that the agent has seen', async () => {
    const { talk } = await scene();
    await talk.say(
      [
        'call terminal {"command":"sleep 0.3; exit 5","background":true,"notify_on_complete":true,"workdir":"/tmp"}',
        'call process {"action":"list"}',
        'say started',
      ].join('\n'),
    );
    await talk.ended(2);
    const { talk: other } = { talk: await Talk.begin(talk.host) };
    await other.say('call terminal {"command":"exit 7"}\nsay seen');
    await other.ended(1);
    const results = (await other.entries()).filter((entry) => entry.kind === 'toolResult');
    expect(results[0]?.result).toContain('exit 7');
    expect((await other.turns()).map(({ by }) => by)).toEqual(['person']);
    expect(await other.notices()).toMatchObject([{ state: 'consumed', turn: results[0]?.turn }]);
  });

  test('W10 a match during the turn that started the process is told at a step of it, not in a turn of its own', async () => {
    const { talk } = await scene();
    await talk.say(
      [
        'call terminal {"command":"echo listening on 80; sleep 600","background":true,"watch_patterns":["listening"]}',
        'call terminal {"command":"sleep 1"}',
        'say done',
      ].join('\n'),
    );
    const entries = await talk.ended(1);
    const [notice] = await talk.notices();
    expect(notice).toMatchObject({ kind: 'watch_match', state: 'delivered' });
    const wake = entries.findIndex(({ kind }) => kind === 'wake');
    const last = entries.findLastIndex(({ kind }) => kind === 'text');
    expect(wake).toBeGreaterThan(0);
    expect(wake).toBeLessThan(last);
    expect(entries[wake]).toMatchObject({ midTurn: true });
    expect((await talk.words()).at(-1)).toContain('done');
    expect(await talk.turns()).toHaveLength(1);
  });

  test('N8 a reset leaves behind what was started before it', async () => {
    const { host, talk } = await scene();
    await talk.say('run `sleep 1; exit 1` and tell me');
    await talk.ended(1);
    await host.client.reset(talk.id);
    const notice = await until('it is settled', async () => (await talk.notices())[0]);
    await until('it is suppressed', async () => (await talk.notices())[0]?.state === 'suppressed');
    expect((await host.client.why(notice.id)).sentences.join()).toContain('closed or reset the session');
    expect(await talk.turns()).toHaveLength(1);
  });

  test('N15 a budget bounds wakes in a row without a person; what waited comes as one digest with its count', async () => {
    const { host, talk } = await scene({ budget: { wakes: 2, windowMs: 4_000 } });
    for (const text of ['one', 'two']) {
      await host.client.notify(talk.id, text);
      await talk.ended(text === 'one' ? 1 : 2);
    }
    await host.client.notify(talk.id, 'three');
    await host.client.notify(talk.id, 'four');
    const entries = await talk.ended(3);
    const digest = entries.findLast((entry) => entry.kind === 'wake');
    expect(digest?.causes).toHaveLength(2);
    expect(digest).toMatchObject({ heldBack: 2 });
  });

  test('T6 each session is woken for its own processes only, a hundred each', { timeout: 180_000 }, async () => {
    const { host } = await scene({
      limits: { processes: 1_000, processesPerSession: 500 },
      budget: { wakes: 1_000 },
      turns: { stepLimit: 500 },
    });
    const talks = await Promise.all([Talk.begin(host, { title: 'A' }), Talk.begin(host, { title: 'B' })]);
    const starts = (of: string) =>
      Array.from(
        { length: 100 },
        (_, index) => `call terminal {"command":"echo ${of}${index}","background":true,"notify_on_complete":true}`,
      );
    await Promise.all(talks.map((talk, index) => talk.say(starts(index === 0 ? 'a' : 'b').join('\n'))));
    for (const [index, talk] of talks.entries()) {
      const own = index === 0 ? 'a' : 'b';
      const causes = await until(
        'all causes came',
        async () => {
          const wakes = (await talk.entries()).filter((entry) => entry.kind === 'wake');
          const all = wakes.flatMap((entry) => entry.causes);
          return all.length >= 100 && all;
        },
        150_000,
      );
      const told = causes.map((cause) => (cause.kind === 'completion' ? cause.output.text : ''));
      expect(told.toSorted()).toEqual(Array.from({ length: 100 }, (_, at) => `${own}${at}`).toSorted());
    }
  });
});
