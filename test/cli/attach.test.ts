import { describe, expect, test } from 'vitest';
import { startHost } from '../support/host.js';
import { until } from '../support/until.js';
import { begin, beginAtTerminal, rouse } from './rouse.js';

const SHELL = "PS1='$ ' sh -i";

describe('at a terminal', () => {
  test('carries keys there and bytes back, with the size of ours, and ends with its status', async () => {
    const { home, client } = await startHost();
    const { process } = await client.start({ command: SHELL, pty: true });
    const attached = beginAtTerminal(home, ['attach', process.id], { columns: 97 });
    await attached.printed('Ctrl-] detaches');
    await attached.printed('$ ');
    await until('the size has arrived', async () => {
      attached.child.stdin?.write('stty size\r');
      return attached.stdout.includes('24 97');
    });
    attached.child.stdin?.write('echo h\u00e9llo $((40 + 2))\r');
    await attached.printed('héllo 42');
    attached.child.stdin?.write('exit 6\r');
    const { status, stdout } = await attached.outcome();
    expect(status).toBe(6);
    expect(stdout).toContain('ended with exit 6');
  });

  test('lets go at Ctrl-] and gives the terminal back', async () => {
    const { home, client } = await startHost();
    const { process } = await client.start({ command: "printf '\\033[?1049h\\033[?25lfull screen'; cat", pty: true });
    const attached = beginAtTerminal(home, ['attach', process.id]);
    await attached.printed('full screen');
    attached.child.stdin?.write('\u001d');
    const { status, stdout } = await attached.outcome();
    expect(status).toBe(0);
    expect(stdout).toContain('\u001b[?1049l\u001b[?25h');
    expect(stdout).toContain('keeps running');
    expect((await client.process(process.id)).process.state).toBe('running');
  });

  test('goes on over a host that dies, with what was typed meanwhile', async () => {
    const host = await startHost();
    const { process } = await host.client.start({ command: SHELL, pty: true });
    const attached = beginAtTerminal(host.home, ['attach', process.id]);
    await attached.printed('$ ');
    await host.kill();
    await attached.printed('Waiting for the host to come back …');
    attached.child.stdin?.write('echo typed $((1 + 1))\r');
    await host.again();
    await attached.printed('typed 2');
    expect(attached.stdout.match(/typed 2/g)).toHaveLength(1);
  });

  test('needs one itself', async () => {
    const { home, client } = await startHost();
    const { process } = await client.start({ command: 'cat', pty: true });
    const { status, stderr } = await rouse(home, ['attach', process.id]);
    expect(status).toBe(1);
    expect(stderr).toContain('standard input is not one');
  });
});

describe('at a pipe', () => {
  test('sends lines, and ends the input at the end of ours', async () => {
    const { home, client } = await startHost();
    const { process } = await client.start({ command: 'while read -r line; do echo "got $line"; done; exit 3' });
    const attached = begin(home, ['attach', process.id]);
    attached.child.stdin?.write('one\n');
    await attached.printed('got one');
    attached.child.stdin?.end('two\n');
    const { status, stdout } = await attached.outcome();
    expect(status).toBe(3);
    expect(stdout).toBe('got one\ngot two\n');
  });

  test('lets go at Ctrl-C', async () => {
    const { home, client } = await startHost();
    const { process } = await client.start({ command: 'echo up; cat' });
    const attached = begin(home, ['attach', process.id]);
    await attached.printed('up');
    attached.child.kill('SIGINT');
    expect((await attached.outcome()).status).toBe(130);
    expect((await client.process(process.id)).process.state).toBe('running');
  });
});

test('says how it ended when it has', async () => {
  const { home, client } = await startHost();
  const { process } = await client.start({ command: 'exit 2' });
  await client.wait(process.id, 10_000);
  const { status, stderr } = await rouse(home, ['attach', process.id]);
  expect(status).toBe(1);
  expect(stderr).toContain('ended with exit 2');
});
