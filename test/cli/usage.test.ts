import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { newHome } from '../support/host.js';
import { rouse } from './rouse.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

test('tells its version', async () => {
  expect(await rouse(newHome(), ['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([[[]], [['help']], [['--help']]])('helps whoever asks with %j', async (args) => {
  const { status, stdout } = await rouse(newHome(), args);
  expect(status).toBe(0);
  for (const command of [
    'serve',
    'run',
    'ps',
    'logs',
    'wait',
    'kill',
    'write',
    'close',
    'attach',
    'sessions',
    'send',
    'show',
    'answer',
    'stop',
    'reset',
    'resume',
    'models',
    'notices',
    'why',
    'notify',
    'doctor',
    'completion',
  ])
    expect(stdout).toContain(`  ${command} `);
  expect(stdout).not.toContain('__complete');
});

test('suggests the nearest command', async () => {
  expect(await rouse(newHome(), ['lgos'])).toEqual({
    status: 2,
    stdout: '',
    stderr: "Unknown command 'lgos'. Did you mean logs? Try: rouse help\n",
  });
});

test.each([
  [['ps', '--nonsense']],
  [['logs']],
  [['run']],
  [['wait', 'x', '--timeout', 'soon']],
  [['run', '--env', 'x', '--', 'true']],
  [['notices', '--limit', '0']],
  [['notify', 'x']],
])('calls %j wrong usage', async (args) => {
  const { status, stderr } = await rouse(newHome(), args);
  expect(status).toBe(2);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});
