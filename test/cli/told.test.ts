/** The stories of the README: what somebody at a terminal is told of. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { NoticeView } from '../../src/contract/notice.js';
import { newFolder } from '../support/clean-up.js';
import { newHome, startHost } from '../support/host.js';
import { until } from '../support/until.js';
import { begin, beginAtTerminal, rouse } from './rouse.js';

const noticesOf = async (home: string, process: string): Promise<NoticeView[]> =>
  (JSON.parse((await rouse(home, ['notices', '--process', process, '--json'])).stdout) as { notices: NoticeView[] })
    .notices;

describe('rouse run --notify -- make', () => {
  test('N1 tells the end to the session of the terminal, which is made for it, and why explains it', async () => {
    const home = newHome();
    const folder = newFolder();
    writeFileSync(join(folder, 'Makefile'), 'all:\n\t@echo compiling\n\t@exit 3\n');
    const run = await rouse(home, ['run', '--notify', '--', 'make'], { cwd: folder });
    expect(run).toMatchObject({ status: 0, stderr: '' });
    const id = run.stdout.trim();
    expect((await rouse(home, ['wait', id])).status).toBe(2);
    const [notice, ...more] = await noticesOf(home, id);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ kind: 'completion', state: 'pending' });
    expect((await rouse(home, ['notices'])).stdout).toMatch(/make ended with exit 2 after/);
    const sentence = `The end of \`make\` (${id}, exit 2) has been pending for session "Terminal" since`;
    expect((await rouse(home, ['why', id])).stdout).toContain(sentence);
    expect((await rouse(home, ['why', notice?.id.slice(0, 12) ?? ''])).stdout).toContain(sentence);
  });

  test('uses one session for all', async () => {
    const { home, client } = await startHost();
    for (const _ of [1, 2]) await rouse(home, ['run', '--notify', '--', 'true']);
    expect((await client.sessions()).map(({ title }) => title)).toEqual(['Terminal']);
  });

  test('opens that session again when it was closed', async () => {
    const { home, client } = await startHost();
    await rouse(home, ['run', '--notify', '--', 'true']);
    const [terminal] = await client.sessions();
    await client.changeSession(terminal?.id ?? '', { closed: true });
    const { status, stderr } = await rouse(home, ['run', '--notify', '--', 'true']);
    expect(status).toBe(0);
    expect(stderr).toContain('is open again');
  });

  test('names why among the next steps', async () => {
    const { home } = await startHost();
    const { stdout } = await beginAtTerminal(home, ['run', '--notify', '--', 'true']).outcome();
    expect(stdout).toContain('rouse why proc_');
  });

  test('N3 is not told what --wait has shown', async () => {
    const { home, client } = await startHost();
    expect((await rouse(home, ['run', '--notify', '--wait', '--', 'exit 4'])).status).toBe(4);
    const [notice] = await client.notices();
    expect(notice).toMatchObject({ state: 'consumed' });
    expect((await rouse(home, ['why', notice?.id ?? ''])).stdout).toContain('`wait` showed it');
  });
});

describe('rouse run --watch', () => {
  test('W1 tells the line of a server, which goes on', async () => {
    const home = newHome();
    const folder = newFolder();
    const server = join(folder, 'server');
    writeFileSync(server, '#!/bin/sh\necho starting\necho listening on 127.0.0.1:8080\nexec sleep 60\n');
    chmodSync(server, 0o755);
    const run = await rouse(home, ['run', '--watch', 'listening on', '--', './server'], { cwd: folder });
    const id = run.stdout.trim();
    const following = begin(home, ['notices', '-f', '--process', id]);
    await following.printed(`./server (${id}) printed "listening on": listening on 127.0.0.1:8080\n`);
    expect((await rouse(home, ['notices'])).stdout).toContain('printed "listening on": listening on 127.0.0.1:8080');
    expect((await rouse(home, ['why', id])).stdout).toContain('The match of "listening on" in `./server`');
    expect((await rouse(home, ['ps'])).stdout).toContain('./server');
  });

  test('W1 may be given again, and the first pattern wins', async () => {
    const { home, client } = await startHost();
    const patterns = ['--watch', '/fail(ed)?/i', '--watch', 'ready'];
    await rouse(home, ['run', ...patterns, '--', 'echo ready, nothing FAILED; sleep 60']);
    const [notice] = await until('it matched', async () => {
      const found = await client.notices();
      return found.length > 0 && found;
    });
    expect(notice?.cause).toMatchObject({ kind: 'watch_match', pattern: '/fail(ed)?/i' });
  });

  test('N6 gives way to --notify, and says so', async () => {
    const { home } = await startHost();
    const { status, stderr } = await rouse(home, ['run', '--notify', '--watch', 'x', '--', 'true']);
    expect(status).toBe(0);
    expect(stderr).toContain('ignores the watch patterns');
  });
});

test('N2 says that a session is told nothing when nothing was asked for', async () => {
  const { home, client } = await startHost();
  const { session } = await client.createSession({ agent: 'none', title: 'Builds' });
  const { stdout, stderr } = await rouse(home, ['run', '--session', session.id.slice(4, 14), '--', 'true']);
  expect(stderr).toContain('--notify');
  const why = await rouse(home, ['why', stdout.trim()]);
  expect(why.stdout).toContain(`creates no notices for session ${session.id}`);
  expect(JSON.parse((await rouse(home, ['why', '--json', stdout.trim()])).stdout)).toMatchObject({ notices: [] });
});

test('N2 makes no session for somebody who does not want to be told', async () => {
  const { home, client } = await startHost();
  expect((await rouse(home, ['run', '--', 'true'])).stderr).toBe('');
  expect(await client.sessions()).toEqual([]);
});
