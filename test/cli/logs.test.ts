import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../support/clean-up.js';
import { startHost, type TestHost } from '../support/host.js';
import { until } from '../support/until.js';
import { begin, beginAtTerminal, environment, program, rouse } from './rouse.js';

const ended = async ({ client }: TestHost, command: string, pty = false): Promise<string> => {
  const { process } = await client.start({ command, pty });
  await client.wait(process.id, 20_000);
  return process.id;
};

test('shows everything, the tail, or the exact bytes', async () => {
  const host = await startHost();
  const id = await ended(host, "seq 1 5; printf 'x\\033[31my'");
  expect((await rouse(host.home, ['logs', id])).stdout).toBe('1\n2\n3\n4\n5\nx\u001b[31my');
  expect((await rouse(host.home, ['logs', '--tail', '2', id])).stdout).toBe('5\nx\u001b[31my');
  expect((await rouse(host.home, ['logs', '--tail', '0', id])).stdout).toBe('');
  expect((await rouse(host.home, ['logs', '--plain', '--tail', '1', id])).stdout).toBe('xy');
  expect((await rouse(host.home, ['logs', '--raw', '--tail', '1', id])).stdout).toBe('x\u001b[31my');
});

test('shows large output whole', async () => {
  const host = await startHost();
  const id = await ended(host, 'seq 1 300000');
  const whole = Array.from({ length: 300_000 }, (_, index) => `${index + 1}\n`).join('');
  for (const options of [[], ['--raw'], ['-f'], ['-f', '--raw']])
    expect((await rouse(host.home, ['logs', ...options, id])).stdout === whole).toBe(true);
});

test('redacts secrets unless the raw bytes are asked for', async () => {
  const host = await startHost();
  const id = await ended(host, `cat ${host.home}/token`);
  expect((await rouse(host.home, ['logs', id])).stdout).not.toContain(host.token);
  expect((await rouse(host.home, ['logs', '--raw', id])).stdout).toContain(host.token);
});

describe('following', () => {
  test.each([[['-f']], [['-f', '--raw']]])(
    'with %j goes on over a host that dies, losing and doubling nothing',
    async (options) => {
      const host = await startHost();
      const folder = newFolder();
      const { process } = await host.client.start({
        command: `seq 1 1000; while [ ! -e ${folder}/go ]; do sleep 0.02; done; seq 1001 2000`,
      });
      const following = begin(host.home, ['logs', ...options, process.id]);
      await following.printed('\n1000\n');
      await host.kill();
      await following.printed('Waiting for the host to come back …');
      const next = await host.again();
      await next.client.start({ command: `touch ${folder}/go` });
      const { status, stdout } = await following.outcome();
      expect(status).toBe(0);
      expect(stdout).toBe(Array.from({ length: 2_000 }, (_, index) => `${index + 1}\n`).join(''));
    },
  );

  test('tells how it ended at a terminal', async () => {
    const host = await startHost();
    const id = await ended(host, 'echo hi; exit 4');
    const { stdout } = await beginAtTerminal(host.home, ['logs', '-f', id]).outcome();
    expect(stdout).toMatch(/hi\r\n[\s\S]*ended with exit 4 after/);
  });

  test('ends quietly when the reader has seen enough', async () => {
    const host = await startHost();
    const { process } = await host.client.start({ command: 'yes' });
    const child = spawn(
      'sh',
      ['-c', `"${globalThis.process.execPath}" "${program}" logs -f ${process.id} | head -n 3`],
      {
        env: environment(host.home),
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let both = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (both += text));
    await new Promise((closed) => child.once('close', closed));
    expect(both).toBe('y\ny\ny\n');
    await host.client.kill(process.id, 'SIGKILL');
  });
});

test('says where bytes are released, and how many', async () => {
  const host = await startHost({ config: { output: { quotaBytes: 65_536 } } });
  const { process } = await host.client.start({ command: 'seq 1 100000; sleep 60' });
  const released = await until('the middle is released', async () => {
    const { process: now } = await host.client.process(process.id);
    const within = now.outputBytes - now.releasedBytes <= 65_536;
    return now.outputBytes === 588_895 && within && now.releasedBytes;
  });
  for (const options of [[], ['--raw']]) {
    const { stdout, stderr } = await rouse(host.home, ['logs', ...options, process.id]);
    expect(stderr).toBe(`… ${released} bytes deleted: the output exceeded its quota …\n`);
    expect(stdout.length + released).toBe(588_895);
  }
  const { stdout: both } = await beginAtTerminal(host.home, ['logs', process.id]).outcome();
  const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('');
  expect(both.replaceAll('\r', '').split('… ')[0]).toBe(whole.slice(0, 16_384));
});

test('lets output colour a terminal and do nothing else to it', async () => {
  const host = await startHost();
  const id = await ended(host, "printf '\\033[31mred\\033]52;c;ZXZpbA==\\007 \\033[2Jend\\n'");
  const { stdout } = await beginAtTerminal(host.home, ['logs', id]).outcome();
  expect(stdout).toContain('\u001b[31mred end');
  expect(stdout).not.toContain('52;c');
  expect((await rouse(host.home, ['logs', id])).stdout).toContain('\u001b]52;c;ZXZpbA==\u0007');
});

test('refuses in a sentence what it cannot show', async () => {
  const host = await startHost();
  const ids = await Promise.all(Array.from({ length: 40 }, () => ended(host, 'true')));
  expect((await rouse(host.home, ['logs', 'nothing'])).stderr).toContain('There is no process "nothing"');
  const { status, stderr } = await rouse(host.home, ['logs', 'proc_']);
  expect(status).toBe(1);
  expect(stderr).toContain('type more of the id');
  expect(ids.some((id) => stderr.includes(`  ${id}\n`))).toBe(true);
});
