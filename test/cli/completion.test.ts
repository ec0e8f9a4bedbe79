import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/clean-up.js';
import { startHost } from '../support/host.js';
import { environment, program, rouse } from './rouse.js';

/** What bash would offer after these words; the last one is being typed. */
function offered(home: string, ...words: readonly string[]): string[] {
  const folder = newFolder();
  const path = join(folder, 'rouse');
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(path, 0o755);
  const script = `source <(rouse completion bash)
    COMP_WORDS=(rouse "$@"); COMP_CWORD=$#
    "$(complete -p rouse | sed 's/.*-F \\([^ ]*\\).*/\\1/')"
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
    env: { ...environment(home), PATH: `${folder}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => line !== '');
}

test('offers commands, options, signals and ids in bash', async () => {
  const { home, client } = await startHost();
  const { process: running } = await client.start({ command: 'sleep 60' });
  const { process: ended } = await client.start({ command: 'true' });
  await client.wait(ended.id, 10_000);
  expect(offered(home, 'w')).toEqual(['wait', 'write', 'why']);
  expect(offered(home, 'o')).toEqual(['open']);
  expect(offered(home, '')).not.toContain('__complete');
  expect(offered(home, 'logs', '--r')).toEqual(['--raw']);
  expect(offered(home, 'kill', '--signal', 'US')).toEqual(['USR1', 'USR2']);
  expect(offered(home, 'kill', '')).toEqual([running.id]);
  expect(offered(home, 'logs', ended.id.slice(0, 12))).toEqual([ended.id]);
  expect(offered(home, 'logs', ended.id.slice(5, 12))).toEqual([ended.id]);
  expect(offered(home, 'run', '--', 'make', '')).toEqual([]);
});

test('offers sessions, notices, their commands and choices', async () => {
  const { home, client } = await startHost();
  const { session } = await client.createSession({ agent: 'none', title: 'Builds' });
  const { notice: owed } = await client.notify(session.id, 'hello');
  const { notice: dismissed } = await client.notify(session.id, 'old');
  await client.dismiss(dismissed.id);
  expect(offered(home, 'sessions', '')).toEqual(['new', 'set', 'close']);
  expect(offered(home, 'sessions', 'set', '')).toEqual([session.id]);
  expect(offered(home, 'sessions', 'new', '--people', '')).toEqual(['all', 'result', 'error', 'off']);
  expect(offered(home, 'run', '--session', 'ses_')).toEqual([session.id]);
  expect(offered(home, 'send', '')).toEqual([session.id]);
  expect(offered(home, 'send', session.id, '--mode', '')).toEqual(['queue', 'steer', 'interrupt']);
  expect(offered(home, 'show', '-f', 'ses_')).toEqual([session.id]);
  expect(offered(home, 'notices', '--state', 'de')).toEqual(['delivered', 'dead']);
  expect(offered(home, 'notices', 'dismiss', '')).toEqual([owed.id]);
  expect(offered(home, 'notices', 'retry', '')).toEqual([]);
  expect(offered(home, 'why', '').sort()).toEqual([owed.id, dismissed.id].sort());
});

test('offers an id after options', async () => {
  const { home, client } = await startHost();
  const { process: running } = await client.start({ command: 'sleep 60' });
  expect(offered(home, 'logs', '-f', '--tail', '5', '')).toEqual([running.id]);
  expect(offered(home, 'logs', running.id, '')).toEqual([]);
});

test.each(['zsh', 'fish'])('prints a script for %s', async (shell) => {
  const { status, stdout } = await rouse(newFolder(), ['completion', shell]);
  expect(status).toBe(0);
  expect(stdout).toContain('rouse __complete');
});

test('refuses a shell it does not know as wrong usage', async () => {
  expect((await rouse(newFolder(), ['completion', 'tcsh'])).status).toBe(2);
});
