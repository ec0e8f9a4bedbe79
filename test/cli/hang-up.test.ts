import { describe, expect, test } from 'vitest';
import { newHome, noteOf } from '../support/host.js';
import { until } from '../support/until.js';
import { begin, beginShell, beginShellAtTerminal, endHost, isAlive, program, rouse, started } from './rouse.js';

const SERVE = `'${process.execPath}' '${program}' serve`;

const served = (home: string) => until('it serves', () => noteOf(home));

/** What it has stored under its own name goes only when it stops in order. */
const stoppedCleanly = (home: string, pid: number) =>
  until('the host is gone', () => !isAlive(pid)).then(() => expect(noteOf(home)).toBeUndefined());

/** SIGKILL for what holds the terminal: its other side is hung up, as by a closed window. */
async function closeTerminal(terminal: ReturnType<typeof beginShellAtTerminal>): Promise<void> {
  terminal.child.kill('SIGKILL');
  await terminal.outcome();
}

describe('a terminal that is closed under a host', () => {
  test('ends it in order, and its processes go on', async () => {
    const home = newHome();
    const terminal = beginShellAtTerminal(home, `exec ${SERVE}`);
    const { pid } = await served(home);
    const id = await started(home, '--', 'sleep 60');
    await closeTerminal(terminal);
    await stoppedCleanly(home, pid);
    expect((await rouse(home, ['ps'])).stdout).toContain(id.slice(0, 11));
  });

  test('ends it in order when a shell hangs it up a second time', async () => {
    const home = newHome();
    const terminal = beginShellAtTerminal(home, `exec ${SERVE}`);
    const { pid } = await served(home);
    process.kill(pid, 'SIGHUP');
    process.kill(pid, 'SIGHUP');
    await stoppedCleanly(home, pid);
    await closeTerminal(terminal);
  });

  test.each([
    ['nohup', `nohup ${SERVE}`],
    ['nohup in the background of a shell', `nohup ${SERVE} & wait`],
    ['nohup with every stream redirected', `nohup ${SERVE} < /dev/null > log 2>&1`],
    ['a shell that ignores the signal', `trap '' HUP; ${SERVE}; true`],
  ])('leaves it alone under %s', async (_, command) => {
    const home = newHome();
    const terminal = beginShellAtTerminal(home, `cd '${home}'; ${command}`);
    const { pid } = await served(home);
    await closeTerminal(terminal);
    process.kill(pid, 'SIGHUP');
    const id = await started(home, '--wait', '--', 'exit 0');
    expect(id).toBeDefined();
    expect(noteOf(home)?.pid).toBe(pid);
    await endHost(home, 'SIGTERM');
    expect(noteOf(home)).toBeUndefined();
  });
});

test('without a terminal SIGHUP ends it in order', async () => {
  const home = newHome();
  const host = begin(home, ['serve'], { env: { _: process.execPath } });
  await host.printed('Processes keep running.');
  host.child.kill('SIGHUP');
  expect((await host.outcome()).status).toBe(0);
  expect(noteOf(home)).toBeUndefined();
});

test('without a terminal nohup keeps it running', async () => {
  const home = newHome();
  beginShell(home, `nohup ${SERVE}`, 'bash');
  const { pid } = await served(home);
  process.kill(pid, 'SIGHUP');
  await started(home, '--', 'true');
  expect(noteOf(home)?.pid).toBe(pid);
});

test('goes on when nobody reads what it prints and logs any more', async () => {
  const home = newHome();
  const shell = beginShell(home, `${SERVE} 2>&1 | head -1`);
  const { pid } = await served(home);
  await until('head has read its line', () => shell.stdout.includes('\n'));
  for (let round = 0; round < 3; round++) await started(home, '--wait', '--', 'true');
  expect(noteOf(home)?.pid).toBe(pid);
  process.kill(pid, 'SIGTERM');
  await stoppedCleanly(home, pid);
});

test('goes on when its log cannot be written for want of room', async () => {
  const home = newHome();
  const shell = beginShell(home, `exec ${SERVE} > /dev/full 2>&1`);
  const { pid } = await served(home);
  await started(home, '--wait', '--', 'true');
  expect(noteOf(home)?.pid).toBe(pid);
  process.kill(pid, 'SIGTERM');
  expect((await shell.outcome()).status).toBe(0);
});
