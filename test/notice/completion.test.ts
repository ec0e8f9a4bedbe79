import { beforeAll, describe, expect, test } from 'vitest';
import { RouseProblem } from '../../src/client/client.js';
import type { StartInput } from '../../src/contract/process.js';
import { startHost, type TestHost } from '../support/host.js';

let host: TestHost;
let session: string;

beforeAll(async () => {
  host = await startHost();
  session = (await host.client.createSession({ agent: 'none', title: 'Builds' })).session.id;
});

const ended = async (request: Partial<StartInput> & { command: string }) => {
  const { process, notes } = await host.client.start({ session, ...request });
  await host.client.wait(process.id, 60_000);
  return { id: process.id, notes, notices: await host.client.notices({ process: process.id }) };
};

describe('the notice of an end', () => {
  test('N1 tells id, command, how it ended, how long it took and the tail of the output', async () => {
    const { id, notes, notices } = await ended({
      command: 'seq 1 30; echo building; exit 3',
      name: 'build',
      notifyOnComplete: true,
    });
    expect(notes).toEqual([]);
    expect(notices).toHaveLength(1);
    const [notice] = notices;
    expect(notice).toMatchObject({ kind: 'completion', session, process: id, state: 'pending', attempts: 0 });
    expect(notice?.line).toMatch(new RegExp(`^build \\(${id}\\) ended with exit 3 after `));
    expect(notice?.cause).toMatchObject({
      command: 'seq 1 30; echo building; exit 3',
      end: { kind: 'exited', code: 3 },
      output: { cut: true, lines: 20, text: expect.stringMatching(/^12\n13\n[\s\S]*\nbuilding$/) },
    });
  });

  test('N2 is not made without notify, and the start says so and names the option', async () => {
    const { notes, notices } = await ended({ command: 'true' });
    expect(notices).toEqual([]);
    expect(notes?.join()).toContain('--notify');
  });

  test('N16 is not promised where nobody can be told', async () => {
    const { process, notes } = await host.client.start({ command: 'true', notifyOnComplete: true });
    expect(notes?.join()).toContain('will not notify any session');
    expect(process.notifyOnComplete).toBe(false);
    await host.client.wait(process.id, 60_000);
    expect((await host.client.why(process.id)).sentences.join()).toContain('session');
  });

  test('N6 takes notify before patterns when both are asked for, and says so', async () => {
    const both = { notifyOnComplete: true, watchPatterns: ['ready'] };
    const { id, notes, notices } = await ended({ command: 'echo ready; sleep 0.5', ...both });
    expect(notes?.join()).toContain('ignores the watch patterns');
    expect((await host.client.process(id)).process.watchPatterns).toEqual([]);
    expect(notices.map(({ kind }) => kind)).toEqual(['completion']);
  });

  test('P14 N1 is made for a process that is lost', async () => {
    const { process } = await host.client.start({ session, command: 'sleep 60', notifyOnComplete: true });
    const { readFileSync } = await import('node:fs');
    const pids = readFileSync(`${host.home}/processes/${process.id}/pid`, 'latin1');
    const [, shim] = /^shim (\d+)/m.exec(pids) ?? [];
    const [, command] = /^command (\d+)/m.exec(pids) ?? [];
    globalThis.process.kill(Number(shim), 'SIGKILL');
    globalThis.process.kill(Number(command), 'SIGKILL');
    await host.client.wait(process.id, 60_000);
    const [notice, ...more] = await host.client.notices({ process: process.id });
    expect(more).toEqual([]);
    expect(notice?.cause).toMatchObject({ end: { kind: 'lost' } });
    expect(notice?.line).toContain('lost');
  });

  test('P20 shows no secret, also where the tail cuts one', async () => {
    const secret = `ghp_${'x'.repeat(36)}`;
    const { notices } = await ended({
      command: `seq 1 25; printf 'token %s ' ${secret}; printf '%.0sy' $(seq 1 2995)`,
      notifyOnComplete: true,
    });
    expect(JSON.stringify(notices)).not.toContain('ghp_');
    expect(JSON.stringify(notices)).not.toMatch(/x{8}/);
  });

  test('P9 is one, although a kill races the natural end, a thousand times', { timeout: 300_000 }, async () => {
    const { session: own } = (await host.client.createSession({ agent: 'none', title: 'Races' })) as {
      session: { id: string };
    };
    const race = async (index: number) => {
      const command = `sleep 0.0${index % 10}`;
      const { process } = await host.client.start({ session: own.id, command, notifyOnComplete: true });
      await host.client.kill(process.id, 'TERM');
      return process.id;
    };
    const ids: string[] = [];
    for (let at = 0; at < 1_000; at += 10)
      ids.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => race(at + index)))));
    const notices = await host.client.notices({ session: own.id, limit: 5_000 });
    expect(notices.map(({ process, kind }) => `${process} ${kind}`).toSorted()).toEqual(
      ids.map((id) => `${id} completion`).toSorted(),
    );
  });
});

describe('a session', () => {
  test('N12 hears of failures only, if it says so, and the rest is kept with its reason', async () => {
    const { session: quiet } = await host.client.createSession({ agent: 'none', title: 'Quiet', wakes: 'failure' });
    const [good] = (await ended({ session: quiet.id, command: 'true', notifyOnComplete: true })).notices;
    const [bad] = (await ended({ session: quiet.id, command: 'false', notifyOnComplete: true })).notices;
    expect(good).toMatchObject({ state: 'suppressed', reason: 'policy' });
    expect(bad).toMatchObject({ state: 'pending' });
  });

  test('N16 that wants no wakes is told so at the start', async () => {
    const { session: deaf } = await host.client.createSession({ agent: 'none', wakes: 'never' });
    const { notes } = await ended({ session: deaf.id, command: 'true', notifyOnComplete: true });
    expect(notes?.join()).toContain('Wakes are off');
  });

  test('N8 that was closed is owed nothing any more, before and after', async () => {
    const { session: closing } = await host.client.createSession({ agent: 'none', title: 'Closing' });
    const before = await host.client.notify(closing.id, 'deployed');
    const { process } = await host.client.start({
      session: closing.id,
      command: 'read line; exit 1',
      notifyOnComplete: true,
    });
    await host.client.changeSession(closing.id, { closed: true });
    await host.client.write(process.id, 'go', { submit: true });
    await host.client.wait(process.id, 60_000);
    const notices = await host.client.notices({ session: closing.id });
    expect(notices).toHaveLength(2);
    for (const notice of notices) expect(notice).toMatchObject({ state: 'suppressed', reason: 'session moved on' });
    expect((await host.client.notice(before.notice.id)).notice.state).toBe('suppressed');
    await expect(host.client.start({ session: closing.id, command: 'true' })).rejects.toThrow('is closed');
  });

  test('N13 takes a message from outside once for each key', async () => {
    const first = await host.client.notify(session, 'deployed', { key: 'd1', from: 'ci' });
    const again = await host.client.notify(session, 'deployed', { key: 'd1', from: 'ci' });
    expect([first.outcome, again.outcome]).toEqual(['admitted', 'duplicate']);
    expect(again.notice.id).toBe(first.notice.id);
    expect(first.notice).toMatchObject({ kind: 'message', cause: { text: 'deployed', from: 'ci' } });
  });

  test('N13 T8 refuses another text under a key that is taken, and adds nothing', async () => {
    const { notice } = await host.client.notify(session, 'deployed 1', { key: 'd2', from: 'ci' });
    await expect(host.client.notify(session, 'deployed 2', { key: 'd2', from: 'ci' })).rejects.toMatchObject({
      word: 'key-taken',
      problem: {
        status: 409,
        detail: `Notice ${notice.id} of session ${session} already uses key "d2" with a different text. Nothing was added; use a new key for a new notice.`,
      },
    });
    const texts = (await host.client.notices({ session })).map(({ line }) => line);
    expect(texts.filter((line) => line.includes('deployed 2'))).toEqual([]);
  });

  test('is refused in a sentence when it is not there', async () => {
    const refusal = await host.client
      .start({ session: 'ses_nobody', command: 'true' })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RouseProblem);
    expect((refusal as RouseProblem).message).toContain('There is no session "ses_nobody"');
  });
});
