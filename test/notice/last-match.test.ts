/** The end of a process closes its watch: what matched up to it is reported once, together with the end. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NoticeView } from '../../src/contract/notice.js';
import type { StartInput } from '../../src/contract/process.js';
import { statOf } from '../../src/place/local/proc.js';
import { startHost, type TestHost } from '../support/host.js';
import { Receiver } from '../support/receiver.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

async function scene(config: object = {}) {
  const host = await startHost({ config });
  const { session } = await host.client.createSession({ agent: 'none', title: 'Builds' });
  const start = (command: string, patterns: readonly string[], more: Partial<StartInput> = {}) =>
    host.client.start({ session: session.id, cwd: host.home, command, watchPatterns: [...patterns], ...more });
  const watched = async (command: string, patterns: readonly string[], more: Partial<StartInput> = {}) =>
    (await start(command, patterns, more)).process.id;
  return { host, session: session.id, start, watched };
}

const noticesOf = async (host: TestHost, process: string): Promise<readonly NoticeView[]> =>
  (await host.client.notices({ process, limit: 1_000 })).toReversed();

/** The notices of a process that has ended: those that came with its end are there with it. */
async function atItsEnd(host: TestHost, id: string): Promise<readonly NoticeView[]> {
  expect((await host.client.wait(id, 60_000)).outcome).toBe('ended');
  return noticesOf(host, id);
}

const whyOf = async (host: TestHost, id: string) => (await host.client.why(id)).sentences.join('\n');

const waitFor = (name: string) => `while [ ! -e ${name} ]; do sleep 0.02; done`;

describe('a match before the end', () => {
  test.each([
    ['through a pipe', false],
    ['in a terminal', true],
  ])('W6 %s makes exactly one notice, however short the process lived', { timeout: 120_000 }, async (_, pty) => {
    const { host, session, watched } = await scene();
    for (let round = 0; round < 10; round++) {
      const id = await watched('echo ERROR; exit 1', ['ERROR'], { pty });
      const notices = await atItsEnd(host, id);
      expect(notices).toMatchObject([{ kind: 'watch_match', session, process: id, state: 'pending' }]);
      expect(notices[0]?.cause).toMatchObject({ pattern: 'ERROR', text: 'ERROR', end: { kind: 'exited', code: 1 } });
      expect(await whyOf(host, id)).toContain('The match of "ERROR"');
    }
  });

  test('W6 is found behind much output, by an expression, when it comes last and without a newline', async () => {
    const { host, watched } = await scene();
    const id = await watched("yes filler | head -n 700000; printf 'ERROR 17'; exit 3", ['/^ERROR \\d+$/']);
    const [notice, ...more] = await atItsEnd(host, id);
    expect(more).toEqual([]);
    expect(notice?.cause).toMatchObject({
      kind: 'watch_match',
      text: 'ERROR 17',
      heldBack: 0,
      end: { kind: 'exited', code: 3 },
      output: { text: expect.stringMatching(/filler\nERROR 17$/) },
    });
    expect(notice?.line).toMatch(/printed ".*": ERROR 17; it ended with exit 3 after /);
  });

  test('W6 P12 is reported with the true end when both came while the host was down', async () => {
    const { host, watched } = await scene();
    const id = await watched(`${waitFor('go')}; echo one; echo ERROR; exit 2`, ['ERROR']);
    const { pid = 0 } = (await host.client.process(id)).process;
    await host.kill();
    writeFileSync(join(host.home, 'go'), '');
    await until('it has ended', () => statOf(pid) === undefined);
    const next = await host.again();
    const notices = await atItsEnd(next, id);
    expect(notices).toMatchObject([{ cause: { text: 'ERROR', end: { kind: 'exited', code: 2 } } }]);
    await next.kill();
    const third = await next.again();
    expect(await noticesOf(third, id)).toEqual(notices);
  });

  test('W2 W6 reports with the end what was held back in the window before it', async () => {
    const { host, watched } = await scene({ watch: { cooldownMs: 3_600_000, strikes: 100 } });
    const command = `echo ERROR 1; ${waitFor('more')}; echo ERROR 2; echo ERROR 3; ${waitFor('end')}; exit 1`;
    const id = await watched(command, ['ERROR']);
    await until('the first is reported', async () => (await noticesOf(host, id)).length === 1);
    writeFileSync(join(host.home, 'more'), '');
    await until('the others are held back', async () => /Rouse is holding back 2 matches/.test(await whyOf(host, id)));
    expect(await noticesOf(host, id)).toHaveLength(1);
    writeFileSync(join(host.home, 'end'), '');
    const [first, last, ...more] = await atItsEnd(host, id);
    expect(more).toEqual([]);
    expect(first?.cause).toMatchObject({ text: 'ERROR 1', heldBack: 0 });
    expect(last?.cause).toMatchObject({ text: 'ERROR 3', heldBack: 1, end: { kind: 'exited', code: 1 } });
  });

  test('W6 N14 owes nothing when no line matched, and says so', async () => {
    const { host, watched } = await scene();
    const id = await watched('echo fine; exit 1', ['ERROR']);
    expect(await atItsEnd(host, id)).toEqual([]);
    expect(await whyOf(host, id)).toContain('no line that it printed matched a pattern');
  });

  test('N3 is consumed with the end by an owner who waited for it', async () => {
    const { host, session, watched } = await scene();
    const id = await watched(`${waitFor('go')}; echo ERROR; exit 1`, ['ERROR']);
    const waited = host.client.wait(id, 60_000, { session });
    writeFileSync(join(host.home, 'go'), '');
    expect((await waited).outcome).toBe('ended');
    expect(await noticesOf(host, id)).toMatchObject([{ kind: 'watch_match', state: 'consumed' }]);
  });

  test('P10 W6 does not wait for a grandchild that writes on', async () => {
    const { host, watched } = await scene();
    const id = await watched(`(${waitFor('stop')}; echo ERROR) & (while [ ! -e stop ]; do echo x; done) & echo up`, [
      'ERROR',
      'up',
    ]);
    expect(await atItsEnd(host, id)).toMatchObject([{ cause: { pattern: 'up', end: { kind: 'exited', code: 0 } } }]);
    writeFileSync(join(host.home, 'stop'), '');
  });

  test('N16 is not promised for a process that has ended when its start is answered', async () => {
    const { host, start } = await scene();
    const ended = await until('one had ended when it was answered', async () => {
      const started = await start('exit 0', ['ERROR']);
      return started.process.state === 'ended' && started;
    });
    expect(ended.notes?.join()).toMatch(/has already ended.*no line matched/);
    expect(await noticesOf(host, ended.process.id)).toEqual([]);
  });
});

describe('what the silence of the breaker held back', () => {
  /** One match passes, the next one trips it; the silence is over when another host knows a shorter one. */
  const silence = (silenceMs: number) => ({ breaker: { max: 1, windowMs: 3_600_000, silenceMs } });
  const ENDLESS = silence(3_600_000);
  const OVER = { config: silence(100) };

  async function trip(host: TestHost, watched: Awaited<ReturnType<typeof scene>>['watched']): Promise<void> {
    for (const name of ['a', 'b']) await watched('echo ERROR; read x', ['ERROR'], { name });
    await until('it is tripped', async () => (await host.client.notices()).length === 2);
  }

  const kindsOf = (notices: readonly NoticeView[]) => notices.map(({ kind }) => kind).toSorted();

  test('W5 N14 reaches every session when it is over: one notice for each process, with its count', async () => {
    const { host, watched } = await scene(ENDLESS);
    const { session: other } = await host.client.createSession({ agent: 'none', title: 'Other' });
    await trip(host, watched);
    const id = await watched("printf 'READY 1\\nREADY 2\\n'; read x", ['READY'], { session: other.id });
    const meanwhile = await until('both are held back', async () => {
      const why = await whyOf(host, id);
      return why.includes('2 matches') && why;
    });
    expect(meanwhile).toMatch(/^Rouse is holding back 2 matches of .* until \d{4}-\d\d-\d\dT.*W5/);
    expect(await host.client.notices({ session: other.id })).toEqual([]);
    await host.stop();
    const next = await host.again(OVER);
    const [notice, ...more] = await until('it is released', async () => {
      const notices = await next.client.notices({ session: other.id });
      return notices.length > 0 && notices;
    });
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ kind: 'watch_match', cause: { pattern: 'READY', text: 'READY 2', heldBack: 1 } });
    const all = await until('the others are released', async () => {
      const notices = await next.client.notices();
      return notices.length === 5 && notices;
    });
    expect(kindsOf(all)).toEqual([
      'watch_match',
      'watch_match',
      'watch_match',
      'watch_overflow_released',
      'watch_overflow_tripped',
    ]);
  });

  test('W5 W9 reaches its session from the next host when the first is killed, and once over more kills', async () => {
    const { host, session, watched } = await scene(ENDLESS);
    await trip(host, watched);
    await host.kill();
    const next = await host.again(OVER);
    const reached = await until('all is reported', async () => {
      const notices = await next.client.notices({ session });
      return notices.length === 4 && notices;
    });
    expect(kindsOf(reached)).toEqual([
      'watch_match',
      'watch_match',
      'watch_overflow_released',
      'watch_overflow_tripped',
    ]);
    await next.kill();
    const third = await next.again();
    expect(await third.client.notices({ session })).toEqual(reached);
  });

  test('W5 W6 is reported at once with the end of its process, and not again', async () => {
    const { host, session, watched } = await scene(ENDLESS);
    await trip(host, watched);
    const id = await watched(`echo READY; ${waitFor('go')}; exit 4`, ['READY']);
    await until('it is held back', async () => (await whyOf(host, id)).includes('Rouse is holding back'));
    writeFileSync(join(host.home, 'go'), '');
    const notices = await atItsEnd(host, id);
    expect(notices).toMatchObject([{ cause: { text: 'READY', heldBack: 0, end: { kind: 'exited', code: 4 } } }]);
    await host.kill();
    const next = await host.again(OVER);
    await until('what waited is reported', async () => (await next.client.notices({ session })).length === 5);
    expect(await noticesOf(next, id)).toEqual(notices);
  });
});

describe('a match that is delivered late', () => {
  test('N10 is described as of its delivery: to a webhook that answers late', async () => {
    const receiver = await Receiver.open();
    const { host } = await scene({ delivery: { firstRetryMs: 100 } });
    const { session } = await host.client.createSession({ agent: 'none', webhook: receiver.webhook });
    receiver.reply = (_, before) => (before === 0 ? 'hang' : 204);
    const command = `echo READY; ${waitFor('go')}; exit 7`;
    const start = { session: session.id, cwd: host.home, command, watchPatterns: ['READY'] };
    const { id } = (await host.client.start(start)).process;
    const [early] = await receiver.count(1);
    expect(early?.text).toContain('the process is still running');
    writeFileSync(join(host.home, 'go'), '');
    expect((await host.client.wait(id, 60_000)).outcome).toBe('ended');
    receiver.answerHeld(500);
    const [, late] = await receiver.count(2);
    expect(late?.id).toBe(early?.id);
    expect(late?.text).not.toContain('running');
    expect(late?.text).toMatch(/matched a pattern, and the process has ended\n[^]*ended: exit 7/);
    expect(late?.notice).toMatchObject({ cause: { end: { kind: 'exited', code: 7 } } });
    expect((await noticesOf(host, id))[0]?.line).toMatch(/it ended with exit 7/);
    await receiver.close();
  });

  test('N10 is described as of its delivery: in a wake that waited behind a turn', async () => {
    const { host } = await scene();
    const talk = await Talk.begin(host, { title: 'Builds' });
    await talk.say('hold 600000');
    await until('it is running', async () => (await talk.state()) === 'running');
    const command = `echo READY; ${waitFor('go')}; exit 7`;
    const start = { session: talk.id, cwd: host.home, command, watchPatterns: ['READY'] };
    const { id } = (await host.client.start(start)).process;
    await until('it matched', async () => (await noticesOf(host, id)).length === 1);
    writeFileSync(join(host.home, 'go'), '');
    expect((await host.client.wait(id, 60_000)).outcome).toBe('ended');
    await host.client.stop(talk.id);
    const entries = await talk.ended(2);
    expect(entries.find(({ kind }) => kind === 'wake')).toMatchObject({
      causes: [{ kind: 'watch_match', text: 'READY', end: { kind: 'exited', code: 7 } }],
    });
    expect((await talk.words()).at(-1)).toContain('exit 7: READY');
  });
});
