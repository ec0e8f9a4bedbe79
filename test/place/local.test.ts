import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/system.js';
import { ProcessId } from '../../src/contract/ids.js';
import { parseExitFile, parsePidFile, quoted, startFile } from '../../src/place/local/folder.js';
import { alive, commandLine, identityOf, statOf, send, thisBoot } from '../../src/place/local/proc.js';
import { loginEnvironment } from '../../src/place/local/environment.js';
import type { LocalPlace } from '../../src/place/local/place.js';
import type { Sighting } from '../../src/ports/place.js';
import { newFolder, onCleanUp } from '../support/clean-up.js';
import { LOCAL_TOOLS, localPlace } from '../support/local-place.js';
import { until } from '../support/until.js';

const plan = { command: 'exit 3', cwd: '/', env: {}, pty: false };
const home = newFolder();
let place: LocalPlace;
let ids = 0;
const newId = () => ProcessId.parse(`proc_${String(++ids).padStart(12, '0')}`);

beforeAll(() => {
  place = localPlace(home);
  onCleanUp(() => place.close());
});

const sighted = (id: ProcessId, kind: string) =>
  until(`${id} is ${kind}`, async () => {
    const sighting = await place.look(id);
    return sighting.kind === kind && sighting;
  });

describe('the local place', () => {
  test('rings when a command runs and when it has ended', async () => {
    const heard = new Set<ProcessId>();
    using _ = place.listen((id) => heard.add(id));
    const id = newId();
    await place.prepare(id, plan);
    place.launch(id);
    expect(await sighted(id, 'exited')).toMatchObject({ record: { kind: 'exited', code: 3 } });
    await until('it was heard', () => heard.has(id));
  });

  test('hears a ring that no event told of', () => {
    const heard: ProcessId[] = [];
    const id = newId();
    using deaf = place.listen((rung) => rung === id && heard.push(rung));
    deaf[Symbol.dispose]();
    appendFileSync(join(home, 'bell'), `${id}\nrubbish\n${id.slice(0, 9)}`);
    place.listenAgain();
    expect(heard).toEqual([id]);
    appendFileSync(join(home, 'bell'), `${id.slice(9)}\n`);
    place.listenAgain();
    place.listenAgain();
    expect(heard).toEqual([id, id]);
  });

  test('lets go of a bell that is rung without end, and hears the next ring', async () => {
    const heard: ProcessId[] = [];
    const id = newId();
    using _ = place.listen((rung) => rung === id && heard.push(rung));
    for (let times = 0; times < 2; times++) {
      appendFileSync(join(home, 'bell'), Buffer.alloc(1_000_000, `rubbish\n`));
      expect(place.listenAgain()).toBe(false);
      expect(statSync(join(home, 'bell')).size).toBe(0);
    }
    expect(place.listenAgain()).toBe(true);
    appendFileSync(join(home, 'bell'), `${id}\n`);
    await until('it was heard by its event', () => heard.length > 0);
    expect(heard).toEqual([id]);
  });

  /** What is seen whenever the process rings. */
  const sightingsOf = (id: ProcessId) => {
    const sightings: Promise<Sighting>[] = [];
    const bell = place.listen((heard) => heard === id && sightings.push(place.look(id)));
    const count = (rings: number) => until(`${rings} rings`, () => sightings.length === rings);
    const ring = (text: string) => {
      appendFileSync(join(home, 'bell'), text);
      place.listenAgain();
    };
    return { sightings, count, ring, [Symbol.dispose]: () => bell[Symbol.dispose]() };
  };

  test('P25 reads how it ended where the shim wrote it, whatever somebody rings', async () => {
    const id = newId();
    using rung = sightingsOf(id);
    await place.prepare(id, { ...plan, command: 'exit 7' });
    place.launch(id);
    await rung.count(2);
    rung.ring(`${id} 9\n${id} 128\n${id}\n${id} 0\n`);
    const read = await sighted(id, 'exited');
    const [, ...ends] = await Promise.all(rung.sightings);
    expect(ends).toEqual([read, read, read, read, read]);
    expect(read).toMatchObject({ record: { kind: 'exited', code: 7 } });
  });

  test('P12 believes no ring of an end that is not written down', async () => {
    const id = newId();
    using rung = sightingsOf(id);
    await place.prepare(id, { ...plan, command: 'exec sleep 60' });
    place.launch(id);
    await rung.count(1);
    rung.ring(`${id} 0\n`);
    place.settle(id);
    rung.ring(`${id} 0\n`);
    const running = (await sighted(id, 'running')) as Extract<Sighting, { kind: 'running' }>;
    expect(await Promise.all(rung.sightings)).toEqual([running, running, running]);
    await place.signal(running.owned, await place.members(id, running.owned), 'SIGKILL');
    expect(await sighted(id, 'exited')).toMatchObject({ record: { kind: 'signalled', signal: 'SIGKILL' } });
  });

  test('P15 starts a command once, however often it is asked to', async () => {
    const id = newId();
    const stamp = join(home, 'stamp');
    await place.prepare(id, { ...plan, command: `echo started >> ${stamp}` });
    for (let times = 0; times < 5; times++) place.launch(id);
    await sighted(id, 'exited');
    expect(readFileSync(stamp, 'utf8')).toBe('started\n');
  });

  test('P15 starts nothing that was abandoned before, and abandons nothing that was started', async () => {
    const early = newId();
    await place.prepare(early, plan);
    expect(await place.abandon(early)).toBe(true);
    place.launch(early);
    const late = newId();
    await place.prepare(late, plan);
    place.launch(late);
    await sighted(late, 'exited');
    expect(await place.abandon(late)).toBe(false);
    expect(await place.look(early)).toEqual({ kind: 'gone', why: 'it was never started' });
  });

  test('P21 is told by the shim when the directory went away meanwhile', async () => {
    const id = newId();
    await place.prepare(id, { ...plan, cwd: '/no/such/place' });
    place.launch(id);
    expect(await sighted(id, 'refused')).toMatchObject({ refusal: { refused: 'no-such-directory' } });
  });

  test('P21 is told by the shim when there is no shell', async () => {
    const other = localPlace(home, { shell: '/no/shell' });
    const id = newId();
    await other.prepare(id, plan);
    other.launch(id);
    expect(await sighted(id, 'refused')).toMatchObject({ refusal: { refused: 'no-such-shell' } });
    expect(await other.check({ pty: false })).toMatchObject({ refused: 'no-such-shell' });
    await other.close();
  });

  test('P15 knows a shim that claimed the folder, for as long as it lives', async () => {
    const id = newId();
    await place.prepare(id, plan);
    const file = join(home, 'processes', id, 'pid');
    writeFileSync(file, '');
    expect(await place.look(id)).toEqual({ kind: 'claimed', alive: false });
    // Nothing but where it stands tells a shim that has written nothing yet.
    const shim = spawn('sleep', ['1000'], { cwd: dirname(file) });
    expect(await place.look(id)).toEqual({ kind: 'claimed', alive: true });
    const gone = once(shim, 'exit');
    shim.kill('SIGKILL');
    await gone;
    expect(await place.look(id)).toEqual({ kind: 'claimed', alive: false });
  });

  test('P11 takes nobody for a command because a note says so', async () => {
    const id = newId();
    await place.prepare(id, plan);
    const self = identityOf(statOf(process.pid) ?? expect.fail());
    const line = (kind: string) => `${kind} ${self.pid} ${self.startTime} ${self.boot}\n`;
    writeFileSync(join(home, 'processes', id, 'pid'), line('shim') + line('command'));
    expect(await place.look(id)).not.toMatchObject({ owned: { command: self } });
  });

  test.each([
    ['emptied', (path: string) => writeFileSync(path, '')],
    ['deleted', (path: string) => rmSync(path)],
    ['rewritten', (path: string) => writeFileSync(path, `shim 1 1 ${thisBoot}\ncommand 1 1 ${thisBoot}\n`)],
    ['replaced by a folder', (path: string) => (rmSync(path), mkdirSync(path))],
  ])('P25 finds a command whose notes were %s before the first look', async (_, spoil) => {
    for (const pty of [false, true]) {
      const id = newId();
      const file = (name: string) => join(home, 'processes', id, name);
      await place.prepare(id, { ...plan, command: 'exec sleep 1000', pty });
      place.launch(id);
      const { command } = await until('it has noted itself', () => {
        const notes = parsePidFile(existsSync(file('pid')) ? readFileSync(file('pid'), 'latin1') : '');
        return notes.command && commandLine(notes.command.pid).includes('sleep 1000') && notes;
      });
      spoil(file('pid'));
      for (const end of ['status 0\n', 'refused cwd\n']) {
        writeFileSync(file('exit'), end);
        expect(await place.look(id)).toMatchObject({ kind: 'running', owned: { command } });
      }
      send(command ?? expect.fail(), 'SIGKILL', false);
      await until('it is over', async () => (await place.look(id)).kind !== 'running');
    }
  });

  test('P14 keeps a command for as long as its shim lives, and no longer', async () => {
    const id = newId();
    await place.prepare(id, { ...plan, command: 'exec sleep 1000' });
    place.launch(id);
    const sighting = await sighted(id, 'running');
    if (sighting.kind !== 'running') throw new Error('It does not run.');
    const { shim, command } = sighting.owned;
    expect(await place.countAlive([shim, command])).toBe(2);
    send(shim, 'SIGKILL', false);
    await until('it is kept no more', async () => (await place.countAlive([shim, command])) < 2);
    expect(await place.look(id, sighting.owned)).toMatchObject({ kind: 'running', shimAlive: false });
    send(command, 'SIGKILL', false);
    expect(await sighted(id, 'gone')).toMatchObject({ why: 'exit unknown: its shim was killed' });
  });

  test('keeps no plan of a command that runs, and costs no end by that', async () => {
    const id = newId();
    const file = (name: string) => join(home, 'processes', id, name);
    await place.prepare(id, plan);
    place.settle(id);
    expect(existsSync(file('start'))).toBe(false);
    expect(readFileSync(file('exit'), 'utf8')).toBe('');
    writeFileSync(file('exit'), 'status 3\n');
    // As a host leaves it that dies halfway, and as one finds it that comes after the end.
    linkSync(file('exit'), file('start'));
    place.settle(id);
    await place.prepare(id, plan);
    place.settle(id);
    expect(existsSync(file('start'))).toBe(false);
    expect(await place.look(id)).toMatchObject({ kind: 'exited', record: { kind: 'exited', code: 3 } });
    place.settle(id);
  });

  test('knows a folder that nobody has claimed, and one that is gone', async () => {
    const id = newId();
    await place.prepare(id, plan);
    expect(await place.look(id)).toEqual({ kind: 'unclaimed' });
    await place.remove(id);
    expect(await place.look(id)).toMatchObject({ kind: 'gone' });
  });
});

describe('the living', () => {
  const self = identityOf(statOf(process.pid) ?? expect.fail('this very process is not alive'));

  test('P11 are the same only with the same start time and the same boot', () => {
    expect(alive(self)).toBeDefined();
    expect(alive({ ...self, startTime: '1' })).toBeUndefined();
    expect(alive({ ...self, boot: 'another' })).toBeUndefined();
  });

  test('P11 4 are not signalled when they are not provably ours, nor is a group that is not led by the one', () => {
    expect(send({ ...self, startTime: '1' }, 'SIGKILL', false)).toBe('gone');
    expect(send({ ...self, boot: 'another' }, 'SIGKILL', false)).toBe('gone');
    expect(send({ ...self, startTime: '1' }, 'SIGKILL', true)).toBe('gone');
  });
});

describe('the files of a folder', () => {
  test('a line that is not whole counts as not written', () => {
    expect(parsePidFile('shim 12 34 abc-d\ncommand 13 3')).toEqual({
      shim: { pid: 12, startTime: '34', boot: 'abc-d' },
      abandoned: false,
    });
    expect(parseExitFile('[1] + Done(1)\nstatus 1', 0)).toBeUndefined();
    expect(parseExitFile('[1] + Done(1)\n', 0)).toBeUndefined();
    expect(parseExitFile('', 0)).toBeUndefined();
    expect(parseExitFile('refused cwd\n', 0)).toEqual({ kind: 'refused', what: 'cwd' });
  });

  test.each([
    ['[1] + Done(12)\nstatus 12\n', { kind: 'exited', code: 12 }],
    ['[1] + Done(137)\nstatus 137\n', { kind: 'exited', code: 137 }],
    ['[1] + Killed\nstatus 137\n', { kind: 'signalled', signal: 'SIGKILL' }],
    ['status 137\n', { kind: 'signalled', signal: 'SIGKILL' }],
    ['status 250\n', { kind: 'exited', code: 250 }],
    ['status 0\n', { kind: 'exited', code: 0 }],
  ])('the end %j is told as it was', (text, record) => {
    expect(parseExitFile(text, 5)).toEqual({ kind: 'ended', record, at: 5 });
  });

  test('the plan survives quoting', () => {
    expect(quoted("it's")).toBe(`'it'\\''s'`);
    expect(startFile({ ...plan, env: { A: "x'y" } }, LOCAL_TOOLS)).toContain(`\nexport A='x'\\''y'\n`);
  });

  test('P20 the plan hands no variable over in a command line but those that a shell or a loader heeds', () => {
    const env = { SECRET: 'swordfish', OPTIND: '3', LD_PRELOAD: 'x.so', BASH_ENV: 'y', PATH: '/bin', PWD: '/tmp' };
    expect(startFile({ ...plan, env }, LOCAL_TOOLS).split('\n')).toContain(
      `set -- 'OPTIND=3' 'LD_PRELOAD=x.so' 'BASH_ENV=y' 'PWD=/tmp'`,
    );
  });
});

describe('the login environment', () => {
  const environment = (shell: string, own: NodeJS.ProcessEnv) =>
    loginEnvironment(systemClock, shell, { PATH: process.env['PATH'], HOME: home, ...own }, 5_000);

  test.each(['/bin/sh', '/bin/bash'])('is read from %s, without our secrets', async (shell) => {
    const { env, fellBack } = await environment(shell, { MINE: 'a\nb', OPENAI_API_KEY: 'k', ROUSE_TOKEN: 't' });
    expect(fellBack).toBeUndefined();
    expect(env).toMatchObject({ MINE: 'a\nb', PATH: expect.any(String) });
    expect(Object.keys(env)).not.toContain('OPENAI_API_KEY');
    expect(Object.keys(env)).not.toContain('ROUSE_TOKEN');
  });

  test('falls back on our own where the shell is not there, or never ends', async () => {
    expect(await environment('/no/shell', { MINE: 'x' })).toMatchObject({
      env: { MINE: 'x' },
      fellBack: expect.stringContaining('could not be started'),
    });
    const slow = await loginEnvironment(systemClock, '/bin/cat', { MINE: 'x' }, 100);
    expect(slow.env).toMatchObject({ MINE: 'x' });
    expect(slow.fellBack).toBeDefined();
  });
});
