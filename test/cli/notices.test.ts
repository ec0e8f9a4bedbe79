import { describe, expect, test } from 'vitest';
import type { NoticeView } from '../../src/contract/notice.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';
import { begin, beginAtTerminal, rouse } from './rouse.js';

async function scene(config: object = {}) {
  const host = await startHost({ config });
  const { session } = await host.client.createSession({ agent: 'none', title: 'Builds' });
  return { host, home: host.home, client: host.client, session: session.id };
}

/** A process that has ended, and whose end is owed. */
async function ended({ client }: TestHost, session: string, command: string, name?: string): Promise<string> {
  const { process } = await client.start({ session, command, notifyOnComplete: true, ...(name && { name }) });
  await client.wait(process.id, 60_000);
  return process.id;
}

describe('the list', () => {
  test('tells each fact in a line, the newest first', async () => {
    const { host, home, client, session } = await scene();
    const id = await ended(host, session, 'exit 3', 'build');
    await client.notify(session, 'deployed', { from: 'cron' });
    const { stdout } = await rouse(home, ['notices']);
    const [header, message, completion] = stdout.split('\n');
    expect(header).toMatch(/^ID +STATE +AGE +SESSION +PROCESS +WHAT$/);
    expect(message).toMatch(/^ntc_[0-9a-z]{8} +pending .* Message from cron: deployed$/);
    expect(completion).toContain(` ${id.slice(0, 11)}  build ended with exit 3 after`);
    expect(completion).toContain(session.slice(0, 10));
  });

  test('fits 80 columns with what happened in sight, coloured at a terminal only', async () => {
    const { host, home, session } = await scene();
    await ended(host, session, 'exit 3', 'unit tests');
    const { stdout } = await beginAtTerminal(home, ['notices']).outcome();
    expect(stdout).toMatch(/unit tests ended with exit 3 after \d/);
    expect(stdout).toContain('\u001b[33m');
    expect((await rouse(home, ['notices'])).stdout).not.toContain('\u001b');
  });

  test('shows those of a session, of a process, in a state; as JSON with whole ids', async () => {
    const { host, home, client, session } = await scene();
    const id = await ended(host, session, 'true');
    const { session: other } = await client.createSession({ agent: 'none', title: 'Other' });
    const { notice } = await client.notify(other.id, 'hello');
    await client.dismiss(notice.id);
    const ids = async (...args: readonly string[]) => {
      const { stdout } = await rouse(home, ['notices', '--json', ...args]);
      return (JSON.parse(stdout) as { notices: NoticeView[] }).notices.map((found) => found.process ?? found.id);
    };
    expect(await ids()).toEqual([notice.id, id]);
    expect(await ids('--session', other.id.slice(0, 12))).toEqual([notice.id]);
    expect(await ids('--process', id.slice(0, 14))).toEqual([id]);
    expect(await ids('--state', 'suppressed')).toEqual([notice.id]);
    const { stdout, stderr } = await rouse(home, ['notices', '--limit', '1']);
    expect(stdout).not.toContain(id.slice(0, 11));
    expect(stderr).toContain('more than these 1');
  });

  test('says what to do when there is nothing', async () => {
    const { home, session } = await scene();
    expect((await rouse(home, ['notices'])).stderr).toContain('rouse run --notify');
    expect((await rouse(home, ['notices', '--session', session])).stderr).toBe('There are no such notices.\n');
    expect((await rouse(home, ['notices', '--session', 'nothing'])).stderr).toContain('There is no session "nothing"');
    expect((await rouse(home, ['notices', '--state', 'lost'])).status).toBe(2);
  });
});

describe('following', () => {
  test('begins with what is owed and tells every change, over a host that dies, each once', async () => {
    const { host, home, client, session } = await scene();
    const { notice: first } = await client.notify(session, 'one');
    const following = begin(home, ['notices', '--follow', '--json']);
    await following.printed('"text":"one"');
    await client.notify(session, 'two');
    await following.printed('"text":"two"');
    await host.kill();
    await following.printed('Waiting for the host to come back …');
    const next = await host.again();
    await next.client.dismiss(first.id);
    await next.client.notify(session, 'three');
    await following.printed('"text":"three"');
    following.child.kill('SIGINT');
    const { status, stdout } = await following.outcome();
    expect(status).toBe(130);
    const told = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { notice: NoticeView }).notice);
    expect(told.map(({ line, state }) => `${line} ${state}`)).toEqual([
      'Message from outside: one pending',
      'Message from outside: two pending',
      'Message from outside: one suppressed',
      'Message from outside: three pending',
    ]);
  });

  test('tells a line for a person, with the reason of what became of it', async () => {
    const { home, client, session } = await scene();
    const following = begin(home, ['notices', '-f', '--session', session.slice(0, 12)]);
    const { notice } = await client.notify(session, 'hello');
    await following.printed(`${notice.id}  pending     Message from outside: hello\n`);
    await client.dismiss(notice.id);
    await following.printed(`${notice.id}  suppressed  Message from outside: hello · dismissed\n`);
  });

  test('N12 is silent about what the people of a session do not want to hear', async () => {
    const { host, home, client, session } = await scene();
    await client.changeSession(session, { people: 'error' });
    const following = begin(home, ['notices', '-f']);
    await client.notify(session, 'no trouble');
    await ended(host, session, 'true', 'fine');
    await ended(host, session, 'exit 1', 'broken');
    await following.printed('broken');
    expect(following.stdout).not.toMatch(/no trouble|fine/);
  });
});

describe('what a person does about a notice', () => {
  const QUICK = { delivery: { attempts: 2, firstRetryMs: 10, timeoutMs: 5_000 } };

  test('N11 is to try a dead one again, or to dismiss it', async () => {
    const { home, client, session } = await scene(QUICK);
    await client.changeSession(session, { webhook: { url: 'http://127.0.0.1:9/nobody' } });
    const { notice } = await client.notify(session, 'hello');
    const attempts = (count: number) =>
      until(`${count} attempts failed`, async () => {
        const { notice: now } = await client.notice(notice.id);
        return now.state === 'dead' && now.attempts === count;
      });
    await attempts(2);
    expect((await rouse(home, ['why', notice.id])).stdout).toMatch(
      new RegExp(`all 2 attempts at the webhook failed.*To try again: rouse notices retry ${notice.id}\n$`),
    );
    const retried = await rouse(home, ['notices', 'retry', notice.id.slice(0, 14)]);
    expect(retried).toMatchObject({ status: 0, stderr: '' });
    expect(retried.stdout).toContain(`${notice.id} is retried`);
    await attempts(4);
    expect((await rouse(home, ['notices', 'dismiss', notice.id])).stdout).toContain('is dismissed');
    expect((await rouse(home, ['why', notice.id])).stdout).toContain('person dismissed it');
  });

  test('is refused in a sentence for one that is settled, and done for the others', async () => {
    const { home, client, session } = await scene();
    const [one, two] = await Promise.all(['one', 'two'].map((text) => client.notify(session, text)));
    const ids = [one, two].map((added) => added?.notice.id ?? '');
    await client.dismiss(ids[0] ?? '');
    const { status, stdout, stderr } = await rouse(home, ['notices', 'dismiss', ...ids]);
    expect(status).toBe(1);
    expect(stderr).toContain(`${ids[0]} was not changed`);
    expect(stdout).toContain(`${ids[1]} is dismissed`);
  });
});
