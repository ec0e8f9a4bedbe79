import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../support/clean-up.js';
import { newHome, startHost } from '../support/host.js';
import { environment, program, rouse } from './rouse.js';

describe('a Node that is too old', () => {
  test('ends in one sentence that names the version it needs', () => {
    const pretence = join(newFolder(), 'pretence.cjs');
    writeFileSync(
      pretence,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`,
    );
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', pretence, program, 'ps'], {
      env: environment(newHome()),
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^Rouse needs Node 20\.20 or later; this is v.*\n$/);
  });

  test('can read the file that tells it: nothing of ours is imported before the version is known', () => {
    const text = readFileSync(program, 'utf8');
    const imported = [...text.matchAll(/^\s*import\s.*from\s+["'](.+)["']/gm)].map(([, name]) => name);
    expect(imported).toEqual(['url']);
    expect(text).not.toMatch(/\?\?|\?\.|\|\|=|&&=|#\w+\s*\(|static\s*\{/);
  });
});

describe('a current directory that was deleted', () => {
  const inDeleted = (home: string, command: string) => {
    const folder = join(newFolder(), 'gone');
    mkdirSync(folder);
    const shell = `cd ${folder} && rmdir ${folder} && exec ${process.execPath} ${program} ${command}`;
    return spawnSync('sh', ['-c', shell], { env: environment(home), encoding: 'utf8' });
  };

  test('keeps no command from working that does not need it', async () => {
    const { home } = await startHost();
    expect(inDeleted(home, 'ps')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('No process is running') as string,
    });
    expect(inDeleted(home, 'run --wait --cwd / -- pwd')).toMatchObject({ status: 0, stdout: '/\n' });
  });

  test('is one sentence for a command that does', async () => {
    const { home } = await startHost();
    expect(inDeleted(home, 'run -- true')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The current directory no longer exists\. .*\n$/) as string,
    });
  });

  test('does not keep a host from starting in the background', async () => {
    const home = newHome();
    expect(inDeleted(home, 'run --cwd / -- true').status).toBe(0);
    expect((await rouse(home, ['ps', '-a'])).stdout).toContain('true');
  });
});
