/**
 * Commands that do what they can to their own folder, to the bell, and to those who keep them. Each runs among innocent
 * processes of another session, which must not notice.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { diagnose } from '../../src/host/doctor/doctor.js';
import type { StartInput } from '../../src/contract/process.js';
import { newHome, NOBODY, startHost, type TestHost } from '../support/host.js';
import { Receiver } from '../support/receiver.js';
import { until } from '../support/until.js';

type Attack = {
  readonly name: string;
  readonly does: string;
  readonly more?: Partial<StartInput>;
  readonly ends?: true;
};

/** `$F` is its folder, `$H` the home, `$V` a file that nobody may change, `$O` an innocent process that runs. */
const ATTACKS: readonly Attack[] = [
  { name: 'forges its end', does: 'echo "status 0" > $F/exit; echo $ROUSE_PROCESS >> $H/bell' },
  {
    name: 'forges an end long ago',
    does: 'echo "status 0" > $F/exit; touch -d @1 $F/exit; echo $ROUSE_PROCESS >> $H/bell',
  },
  {
    name: 'forges an end in a far future',
    does: 'echo "status 0" > $F/exit; touch -d 9999-12-31 $F/exit $F/output; ring',
  },
  { name: 'forges a refusal', does: 'echo "refused cwd" > $F/exit; ring' },
  { name: 'writes 10 MB into exit', does: 'head -c 10000000 /dev/zero > $F/exit; ring' },
  { name: 'empties pid', does: ': > $F/pid; ring' },
  { name: 'deletes pid', does: 'rm $F/pid; ring' },
  { name: 'puts another into pid', does: 'cat $H/processes/$O/pid > $F/pid; ring' },
  { name: 'says in pid that it was abandoned', does: 'echo abandoned > $F/pid; ring' },
  { name: 'makes exit a FIFO', does: 'rm -f $F/exit; mkfifo $F/exit; ring' },
  { name: 'makes exit a folder', does: 'rm -f $F/exit; mkdir -p $F/exit/x; ring' },
  { name: 'makes exit a link', does: 'ln -sf $V $F/exit; ring' },
  { name: 'makes exit a device', does: 'rm -f $F/exit; mknod $F/exit c 1 5; ring' },
  { name: 'makes pid a FIFO', does: 'rm -f $F/pid; mkfifo $F/pid; ring' },
  { name: 'makes start a FIFO', does: 'rm -f $F/start; mkfifo $F/start; ring' },
  { name: 'makes output a link', does: 'ln -sf $V $F/output; echo more; ring' },
  { name: 'makes output a FIFO', does: 'rm $F/output; mkfifo $F/output; ring' },
  { name: 'makes output a folder', does: 'rm $F/output; mkdir $F/output; ring' },
  {
    name: 'makes output petabytes large',
    does: 'truncate -s 8E $F/output || truncate -s 9P $F/output || truncate -s 15T $F/output; ring',
  },
  { name: 'truncates its output', does: ': > $F/output; echo more; ring' },
  { name: 'forbids to read its files', does: 'chmod 000 $F/output $F/pid; : > $F/exit; chmod 000 $F/exit; ring' },
  { name: 'forbids to enter its folder', does: 'chmod 000 $F; ring' },
  { name: 'deletes its folder', does: 'rm -rf $F; ring' },
  { name: 'makes its folder a link to another', does: 'rm -rf $F; ln -s $H/elsewhere $F' },
  { name: 'makes its folder a file', does: 'mv $F $F.moved; echo > $F; ring' },
  { name: 'floods the bell', does: 'yes | head -c 30000000 >> $H/bell' },
  { name: 'rings for another without end', does: '(while :; do echo "$O 0"; done) >> $H/bell & sleep 0.3' },
  { name: 'writes no newline to the bell', does: 'head -c 3000000 /dev/zero >> $H/bell' },
  { name: 'deletes the bell', does: 'rm $H/bell' },
  { name: 'makes the bell a folder', does: 'rm -f $H/bell; mkdir -p $H/bell/x' },
  { name: 'makes the bell a FIFO', does: 'rm -rf $H/bell; mkfifo $H/bell' },
  { name: 'makes the bell a link', does: 'rm -rf $H/bell; ln -s $V $H/bell' },
  { name: 'links the bell to a file', does: 'rm -rf $H/bell; ln $V $H/bell' },
  { name: 'forbids to open the bell', does: 'chmod 000 $H/bell' },
  { name: 'deletes the bell time and again', does: '(while :; do rm -rf $H/bell; mkfifo $H/bell; done) & sleep 0.3' },
  { name: 'makes folders of fifos', does: 'mkdir -p $H/fifos/a/b; mkfifo $H/fifos/1; chmod 000 $H/fifos/a' },
  { name: 'kills its shim', does: 'kill -9 $(shim)' },
  { name: 'stops its shim', does: 'kill -STOP $(shim)' },
  { name: 'kills its reader', does: 'for p in $(readers); do kill -9 $p; done; echo more' },
  { name: 'stops its reader', does: 'for p in $(readers); do kill -STOP $p; done' },
  { name: 'signals all that is in its session', does: 'trap "" TERM HUP INT; kill -HUP 0; kill -INT 0' },
  { name: 'closes its output', does: 'exec > /dev/null 2>&1' },
  { name: 'says that output was dropped', does: 'touch $F/dropped; ring' },
  {
    name: 'spoils what its terminal notes',
    does: 'printf "Done\\nstatus 0\\n" > $F/status; ring',
    more: { pty: true },
  },
  {
    name: 'makes a FIFO of what its terminal notes',
    does: 'rm -f $F/status $F/words; mkfifo $F/status $F/words',
    more: { pty: true },
  },
  {
    name: 'asks for an environment that steers a shell',
    does: 'true',
    more: {
      env: {
        PATH: '/usr/bin:/bin',
        OPTIND: 'x',
        IFS: '/',
        PS4: '$(kill 0)',
        ENV: '/dev/zero',
        id: 'x',
        home: '/',
        LD_PRELOAD: '/x',
      },
    },
  },
];

const TOOLS = `
ring() { echo $ROUSE_PROCESS >> $H/bell; }
shim() { for p in $(readers); do ps -o ppid= -p $p; done | head -1; }
readers() { for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$F" ] && [ "$(readlink $p/exe)" = "$(readlink -f /usr/bin/cat)" ] && echo \${p#/proc/}; done; }
`;

describe.each([
  ['root', undefined],
  ['an ordinary user', NOBODY],
])('P25 a hostile command of %s', (_, uid) => {
  let host: TestHost;
  let receiver: Receiver;
  let session: string;
  let running: string;
  let home: string;
  let victim: string;
  let as: { readonly uid?: number; readonly env: { readonly HOME: string } };

  beforeAll(async () => {
    home = newHome({ kill: { graceMs: 200 }, limits: { processes: 1_000, processesPerSession: 1_000 } });
    victim = join(home, 'victim');
    as = { ...(uid !== undefined && { uid }), env: { HOME: home } };
    writeFileSync(victim, 'precious', { mode: 0o644 });
    mkdirSync(join(home, 'elsewhere'));
    chmodSync(join(home, 'elsewhere'), 0o755);
    if (uid !== undefined) chownSync(join(home, 'elsewhere'), uid, uid);
    host = await startHost({ home, ...as });
    receiver = await Receiver.open();
    session = (await host.client.createSession({ title: 'innocent', webhook: receiver.webhook })).session.id;
    running = (
      await host.client.start({ command: 'echo here; cat; exit 6', cwd: '/', session, notifyOnComplete: true })
    ).process.id;
  });
  /** Starts, runs, reads, writes, ends and is told, with a pipe and with a terminal. */
  const innocents = () =>
    Promise.all(
      [false, true].flatMap((pty) => [
        innocent({ command: 'echo quick; exit 3', pty }, 'quick\n', 3),
        innocent(
          { command: 'stty -echo 2> /dev/null; read -r line; echo "got $line"; exit 4', pty },
          'got it\n',
          4,
          'it',
        ),
      ]),
    );
  const innocent = async (request: StartInput, text: string, code: number, input?: string) => {
    const { id } = (await host.client.start({ ...request, cwd: '/', session, notifyOnComplete: true })).process;
    if (input) await host.client.write(id, input, { submit: true });
    expect((await host.client.wait(id, 20_000)).process.end).toEqual({ kind: 'exited', code });
    // What is typed before the terminal is told not to echo is echoed.
    expect((await host.client.output(id)).text.replaceAll('\r', '').endsWith(text)).toBe(true);
    const told = await until(
      'its notice arrives',
      () => receiver.received.find(({ notice }) => notice.process === id),
      20_000,
    );
    expect(told.notice.cause).toMatchObject({ kind: 'completion', end: { kind: 'exited', code } });
  };

  test.each(ATTACKS)('that $name costs nobody but itself', async ({ does, more = {} }) => {
    const done = join(home, 'done');
    rmSync(done, { force: true });
    const head = `H='${home}'; F="$H/processes/$ROUSE_PROCESS"; V='${victim}'; O='${running}'\n${TOOLS}`;
    const tail = `: > $H/done; exec sleep 1000`;
    const command = `${head}while [ -e $F/start ]; do sleep 0.01; done\n{ ${does}; } 2> /dev/null\n${tail}`;
    const { id } = (await host.client.start({ command, cwd: '/', timeoutMs: 600_000, ...more })).process;
    await until('it has done its worst', () => existsSync(done));
    await innocents();
    const listed = await host.client.list();
    expect(listed.find((process) => process.id === id)?.state).toBe('running');
    expect(listed.find((process) => process.id === running)).toMatchObject({ state: 'running' });
    await host.client.output(id).catch(() => undefined);
    await host.client.kill(id, 'KILL');
    const { process: ended } = await host.client.wait(id, 40_000);
    expect(ended).toMatchObject({ state: 'ended', end: { kind: expect.stringMatching(/signalled|lost/) as string } });
    expect(Date.parse(ended.endedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(ended.startedAt));
    expect(Date.parse(ended.endedAt ?? '')).toBeLessThanOrEqual(Date.now());
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(statSync(join(home, 'elsewhere')).mode & 0o777).toBe(0o755);
    await diagnose({ ...process.env, ROUSE_HOME: home });
  });

  test('leaves a home in which the next host starts, knows all of them, and takes up what runs', async () => {
    const before = (await host.client.list()).map(({ id }) => id).toSorted();
    await host.kill();
    rmSync(join(home, 'bell'), { recursive: true, force: true });
    symlinkSync(victim, join(home, 'bell'));
    rmSync(join(home, 'fifos'), { recursive: true, force: true });
    mkdirSync(join(home, 'fifos', 'folder'), { recursive: true });
    chmodSync(join(home, 'fifos'), 0o000);
    host = await startHost({ home, ...as });
    expect((await host.client.list()).map(({ id }) => id).toSorted()).toEqual(before);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    await innocents();
    await host.client.write(running, 'still', { submit: true });
    await host.client.closeInput(running);
    expect((await host.client.wait(running, 30_000)).process.end).toEqual({ kind: 'exited', code: 6 });
    expect((await host.client.output(running)).text).toBe('here\nstill\n');
  });
});
