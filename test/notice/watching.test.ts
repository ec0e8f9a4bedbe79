import { describe, expect, test } from 'vitest';
import type { NoticeView } from '../../src/contract/notice.js';
import type { StartInput } from '../../src/contract/process.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';

async function scene(config: object = {}) {
  const host = await startHost({ config });
  const { session } = await host.client.createSession({ agent: 'none', title: 'Servers' });
  const watched = async (command: string, patterns: readonly string[], more: Partial<StartInput> = {}) =>
    (await host.client.start({ session: session.id, command, watchPatterns: [...patterns], ...more })).process.id;
  return { host, session: session.id, watched };
}

const noticesOf = async (host: TestHost, process: string): Promise<readonly NoticeView[]> =>
  (await host.client.notices({ process, limit: 1_000 })).toReversed();

const come = (host: TestHost, process: string, count: number) =>
  until(`${count} notices of ${process}`, async () => {
    const notices = await noticesOf(host, process);
    return notices.length >= count && notices;
  });

const isMatched = (notices: readonly NoticeView[]): boolean =>
  notices.filter(({ kind }) => kind === 'watch_match').length === 1;

describe('watching a process', () => {
  test.each([
    ['through a pipe', false],
    ['in a terminal', true],
  ])('W1 W7 %s tells the first line that holds a pattern, with the pattern and the line', async (_, pty) => {
    const { host, session, watched } = await scene();
    const id = await watched('echo starting; echo listening on :80; read x', ['ready', 'listening on'], { pty });
    const [notice] = await come(host, id, 1);
    expect(notice).toMatchObject({ kind: 'watch_match', session, process: id, state: 'pending' });
    expect(notice?.cause).toMatchObject({ pattern: 'listening on', text: 'listening on :80', heldBack: 0 });
    expect(notice?.line).toContain('listening on :80');
  });

  test('W7 finds a pattern that comes in two writes, inside colours, and in a prompt without a newline', async () => {
    const { host, watched } = await scene();
    const halves = await watched("printf 'liste'; read x; printf 'ning on\\n'; read x", ['listening']);
    await until('the first half is there', async () => (await host.client.output(halves)).text === 'liste');
    await host.client.write(halves, '', { submit: true });
    expect((await come(host, halves, 1))[0]?.cause).toMatchObject({ text: 'listening on' });
    const coloured = await watched("printf '\\033[31mER\\033[0mROR: disk\\n'; read x", ['ERROR']);
    expect((await come(host, coloured, 1))[0]?.cause).toMatchObject({ text: 'ERROR: disk' });
    const prompt = await watched("printf 'Password: '; read x; echo got it; read x", ['Password:']);
    await come(host, prompt, 1);
    await host.client.write(prompt, 'x', { submit: true });
    await until('it goes on', async () => (await host.client.output(prompt)).text.includes('got it'));
    expect(await noticesOf(host, prompt)).toHaveLength(1);
  });

  test('W8 takes an expression that would backtrack for ever, and refuses what it cannot run, in a sentence', async () => {
    const { host, watched } = await scene();
    const id = await watched("head -c 1000000 /dev/zero | tr '\\0' a; echo; echo aaab; read x", ['/^(a+)+b$/']);
    expect((await come(host, id, 1))[0]?.cause).toMatchObject({ text: 'aaab' });
    await expect(watched('true', ['/(a)\\1/'])).rejects.toThrow(/linear time/);
    await expect(watched('true', ['/(/'])).rejects.toThrow(/watch pattern/);
  });

  test('W2 W3 W4 holds back within a window, ends watching after three strikes, then tells the end once', async () => {
    const { host, watched } = await scene({ watch: { cooldownMs: 400 } });
    const id = await watched('while [ ! -e stop ]; do echo ERROR; sleep 0.02; done; exit 4', ['ERROR'], {
      cwd: '/tmp',
      timeoutMs: 600_000,
      name: 'loop',
    });
    const before = await until('watching ended', async () => {
      const notices = await noticesOf(host, id);
      return notices.some(({ kind }) => kind === 'watch_disabled') && notices;
    });
    expect(before.map(({ kind }) => kind)).toEqual(['watch_match', 'watch_match', 'watch_match', 'watch_disabled']);
    const counts = before.map(({ cause }) => ('heldBack' in cause ? cause.heldBack : -1));
    expect(counts[0]).toBe(0);
    expect(Math.min(...counts.slice(1))).toBeGreaterThan(0);
    expect((await host.client.process(id)).process.notifyOnComplete).toBe(true);
    await host.client.kill(id, 'KILL');
    expect((await noticesOf(host, id)).map(({ kind }) => kind)).toEqual([
      ...before.map(({ kind }) => kind),
      'completion',
    ]);
  });

  test('W5 trips one breaker over all processes, and tells when it is over, with the count', async () => {
    const { host, session, watched } = await scene({ breaker: { silenceMs: 1_500, windowMs: 60_000 } });
    const ids = await Promise.all(Array.from({ length: 16 }, () => watched('read go; echo ERROR; read x', ['ERROR'])));
    await Promise.all(ids.map((id) => host.client.write(id, '', { submit: true })));
    const told = await until('the silence is over', async () => {
      const notices = await host.client.notices({ session, limit: 100 });
      return notices.some(({ kind }) => kind === 'watch_overflow_released') && notices;
    });
    const kinds = told.toReversed().map(({ kind }) => kind);
    expect(kinds.slice(0, 17)).toEqual([
      ...Array.from({ length: 15 }, () => 'watch_match'),
      'watch_overflow_tripped',
      'watch_overflow_released',
    ]);
    expect(told.find(({ kind }) => kind === 'watch_overflow_released')?.cause).toMatchObject({ heldBack: 1 });
    await until('each process has its match', async () =>
      (await Promise.all(ids.map((id) => noticesOf(host, id)))).every(isMatched),
    );
  });

  test('W3 counts all that was held back when watching ends', async () => {
    const { host, watched } = await scene({ watch: { cooldownMs: 3_600_000, strikes: 1 } });
    const id = await watched('printf "ERROR %s\\n" $(seq 1 50); read x', ['ERROR']);
    const [first, disabled] = await come(host, id, 2);
    expect(first?.cause).toMatchObject({ kind: 'watch_match', text: 'ERROR 1', heldBack: 0 });
    expect(disabled?.cause).toMatchObject({ kind: 'watch_disabled', heldBack: 49 });
  });

  test('W9 goes on over kills of the host: no line is decided twice, window and count are kept', async () => {
    const long = { watch: { cooldownMs: 3_600_000, strikes: 100 } };
    const { host, watched } = await scene(long);
    const id = await watched('n=0; while read x; do n=$((n + 1)); echo ERROR $n; done', ['ERROR']);
    const next = async (on: TestHost, line: number) => {
      await on.client.write(id, '', { submit: true });
      await until('the line is there', async () => (await on.client.output(id)).text.includes(`ERROR ${line}\n`));
    };
    await next(host, 1);
    await come(host, id, 1);
    await host.kill();
    const second = await host.again();
    await next(second, 2);
    await second.kill();
    const third = await second.again({ config: { watch: { cooldownMs: 100, strikes: 100 } } });
    let line = 2;
    const told = await until('another is told', async () => {
      await next(third, ++line);
      const notices = await noticesOf(third, id);
      return notices.length > 1 && notices;
    });
    const [first, other] = told.map(({ cause }) => cause as { text: string; heldBack: number });
    expect(first).toMatchObject({ text: 'ERROR 1', heldBack: 0 });
    // All between the first that was told and this one were held back, each counted once.
    expect(other?.heldBack).toBe(Number(other?.text.replace('ERROR ', '')) - 2);
  });

  test('P20 shows no secret in a match', async () => {
    const { host, watched } = await scene();
    const id = await watched(`printf 'token ghp_%s ready\\n' ${'x'.repeat(36)}; read x`, ['ready']);
    const [notice] = await come(host, id, 1);
    expect(notice?.cause).toMatchObject({ text: 'token [redacted] ready' });
  });

  test('11 leaves a million matching lines a second harmless', { timeout: 120_000 }, async () => {
    const { host, watched } = await scene();
    const id = await watched('yes ERROR | head -n 3000000; read x', ['ERROR']);
    await until(
      'it has written',
      async () => (await host.client.process(id)).process.outputBytes === 18_000_000,
      100_000,
    );
    const notices = await noticesOf(host, id);
    expect(notices.filter(({ kind }) => kind === 'watch_match').length).toBeLessThanOrEqual(4);
  });
});
