import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProcessId } from '../../src/contract/ids.js';
import { StoredApprovals } from '../../src/runtime/session/tools/approval.js';
import { TERMINAL_FIGURES, terminalTool, type TerminalParts } from '../../src/runtime/session/tools/terminal.js';
import type { ToolOutcome } from '../../src/runtime/session/tools/tool.js';
import type { SessionRecord } from '../../src/ports/store.js';
import { openStage, TOKEN, type Stage } from '../support/tool-stage.js';
import { until } from '../support/until.js';

let stage: Stage;
let session: SessionRecord;

beforeAll(async () => {
  stage = await openStage();
  session = await stage.session();
  mkdirSync(join(stage.home, 'work'));
});

const PATIENT = { ...TERMINAL_FIGURES, foregroundMs: 600_000 };
const HASTY = { ...TERMINAL_FIGURES, foregroundMs: 100 };

const terminal = (more: Partial<TerminalParts> = {}) => {
  const { redact } = stage.supervisor.redactor;
  const homes = { home: '/home/nobody', rouseHome: stage.home };
  const approval = { policy: 'allow', approvals: new StoredApprovals(stage.store), homes, redact } as const;
  const workdir = join(stage.home, 'work');
  return terminalTool({ ...stage, approval, figures: PATIENT, workdir, mayNotify: true, ...more });
};

const run = (input: unknown, more: Partial<TerminalParts> = {}, of = session) =>
  terminal(more).run(input, stage.turn(of).context);

const noticesOf = (process: ProcessId) => stage.store.notices.list({ process });

/** The process that the outcome is about. */
const processOf = ({ process, result }: ToolOutcome): ProcessId => {
  if (!process) throw new Error(`No process: ${result}`);
  return process;
};

const kill = (id: ProcessId) => stage.supervisor.kill(id, 'SIGKILL', 'test');

describe('in the background', () => {
  test('N1 answers with the id at once, and promises the wake that comes', async () => {
    const outcome = await run({ command: 'read x', background: true, notify_on_complete: true });
    const id = processOf(outcome);
    expect(outcome).toMatchObject({ failed: false });
    expect(outcome).not.toHaveProperty('consumes');
    expect(outcome.result).toBe(
      `Started process ${id} in the background: it is running.\nYou will be woken when it ends: continue with something else or end your turn; never poll or sleep for it.`,
    );
    await kill(id);
    expect(await noticesOf(id)).toMatchObject([{ session: session.id, standing: { kind: 'pending' } }]);
  });

  test('N2 says that no wake will come, and names the option', async () => {
    const outcome = await run({ command: 'true', background: true });
    const id = processOf(outcome);
    expect(outcome.result).toMatch(/will not notify the session when this ends.*notify_on_complete/);
    await stage.ended(id);
    expect(await noticesOf(id)).toEqual([]);
  });

  test('N6 says that patterns are ignored together with notify', async () => {
    const outcome = await run({
      command: 'read x',
      background: true,
      notify_on_complete: true,
      watch_patterns: ['ready'],
    });
    expect(outcome.result).toContain('ignores the watch patterns');
    expect(await stage.supervisor.get(processOf(outcome))).toMatchObject({ watchPatterns: [], notifyOnComplete: true });
    await kill(processOf(outcome));
  });

  test('W1 watches for patterns, and says what will be told', async () => {
    const outcome = await run({ command: 'echo ready; read x', background: true, watch_patterns: ['ready'] });
    expect(outcome.result).toContain('You will be woken when a line matches, but not when it ends');
    await until('it matched', async () => (await noticesOf(processOf(outcome))).length === 1);
    await kill(processOf(outcome));
  });

  test.each([
    ['never', { notify_on_complete: true }, /Wakes are off/],
    ['never', { watch_patterns: ['x'] }, /Wakes are off/],
    ['failure', { notify_on_complete: true }, /only if it fails/],
    ['failure', { watch_patterns: ['x'] }, /not be woken for matches/],
  ] as const)('N16 promises no wake that cannot come (wakes: %s, %o)', async (wakes, asked, said) => {
    const silent = await stage.session(wakes);
    const outcome = await run({ command: 'true', background: true, ...asked }, {}, silent);
    expect(outcome.result).toMatch(said);
    expect(outcome.result).not.toContain('You will be woken when');
  });

  test('W8 refuses a pattern that cannot be used, and starts nothing', async () => {
    const before = await stage.store.processes.list();
    expect(await run({ command: 'true', background: true, watch_patterns: ['/(/'] })).toMatchObject({ failed: true });
    expect(await stage.store.processes.list()).toHaveLength(before.length);
  });
});

describe('in the foreground', () => {
  test('N3 shows the output, how it ended and how long it took, and consumes the end', async () => {
    const outcome = await run({ command: 'pwd; echo oops >&2; exit 2' });
    const id = processOf(outcome);
    expect(outcome).toMatchObject({ failed: false, consumes: { process: id, how: 'terminal' } });
    expect(outcome.result).toMatch(new RegExp(`^Process ${id} ended with exit 2 after \\d+\\.\\ds\\.\nIts output:\n`));
    expect(outcome.result).toContain(`| ${join(stage.home, 'work')}\n| oops`);
  });

  test('N5 is owed its end from the start: what is shown and not stored is not lost', async () => {
    const id = processOf(await run({ command: 'exit 2' }));
    expect(await noticesOf(id)).toMatchObject([{ cause: { kind: 'completion' }, standing: { kind: 'pending' } }]);
  });

  test('says what was cut and how to read the rest', async () => {
    const outcome = await run({ command: 'seq 1 1000' });
    expect(outcome.result).toContain('cut to the last 400 lines');
    expect(outcome.result).toContain(`"process_id": "${processOf(outcome)}"`);
    expect(outcome.result).toMatch(/\n\| 601\n/);
    expect(outcome.result).not.toMatch(/\n\| 600\n/);
  });

  test('P20 shows no secret', async () => {
    const { result } = await run({ command: `echo ${TOKEN}` });
    expect(result).toContain('| [redacted]');
    expect(result).not.toContain(TOKEN);
  });

  test('N1 past its time it goes on in the background, says so, and its end is owed', async () => {
    const outcome = await run({ command: 'echo begun; read x; exit 5' }, { figures: HASTY });
    const id = processOf(outcome);
    expect(outcome).not.toHaveProperty('consumes');
    expect(outcome.result).toContain(`It takes longer than 0.1s, so process ${id} continues in the background.`);
    expect(outcome.result).toContain('You will be woken when it ends');
    expect(await stage.store.processes.get(id)).toMatchObject({ notifyOnComplete: true });
    await kill(id);
    expect(await noticesOf(id)).toMatchObject([{ cause: { kind: 'completion' }, standing: { kind: 'pending' } }]);
  });

  test('goes on in the background when a person speaks', async () => {
    const turn = stage.turn(session);
    const running = terminal().run({ command: 'read x' }, turn.context);
    turn.speak();
    const outcome = await running;
    expect(outcome.result).toContain('A person sent a message, so process');
    expect(await stage.store.processes.get(processOf(outcome))).toMatchObject({ notifyOnComplete: true });
    await kill(processOf(outcome));
  });

  test('T5 is left alone when the turn is stopped, and its end still comes', async () => {
    const turn = stage.turn(session);
    const running = terminal().run({ command: 'read x' }, turn.context);
    turn.end();
    const id = processOf(await running);
    expect(stage.supervisor.unfinishedOne(id)).toMatchObject({ notifyOnComplete: true });
    await kill(id);
    expect(await noticesOf(id)).toHaveLength(1);
  });

  test('N16 promises no wake to a session that wants none', async () => {
    const outcome = await run({ command: 'read x' }, { figures: HASTY }, await stage.session('never'));
    expect(outcome.result).toContain('You will not be woken when it ends');
    await kill(processOf(outcome));
  });

  test('N6 says that patterns are not for the foreground', async () => {
    const outcome = await run({ command: 'read x', watch_patterns: ['x'] }, { figures: HASTY });
    expect(outcome.result).toContain('ignores the watch patterns');
    await kill(processOf(outcome));
  });

  test('P18 ends it at its time limit and says so', async () => {
    const { result } = await run({ command: 'sleep 600', timeout: 0.2 });
    expect(result).toContain('ended with SIGTERM by limit of 200 ms');
  });

  test('gives it a terminal, and a folder beside its own', async () => {
    expect((await run({ command: 'tty; pwd', pty: true, workdir: '..' })).result).toMatch(
      new RegExp(`\\| /dev/pts/\\d+\n\\| ${stage.home}\n`),
    );
  });
});

describe('what cannot start', () => {
  test.each([
    ['a folder that is not there', { workdir: '/nowhere' }, '/nowhere'],
    ['a place that is not there', { place: 'moon' }, 'There is no place "moon". Known: local.'],
  ])('P21 %s: a clear error', async (_, more, said) => {
    const outcome = await run({ command: 'true', ...more });
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).toContain(said);
    expect(outcome).not.toHaveProperty('process');
  });

  test('P21 leaves no notice that would wake the agent', async () => {
    const own = await stage.session();
    const input = { command: 'true', workdir: '/nowhere', background: true, notify_on_complete: true };
    expect(await run(input, {}, own)).toMatchObject({ failed: true });
    expect(await stage.store.notices.list({ session: own.id })).toEqual([]);
  });
});

describe('what it cannot use', () => {
  const huge = 'x'.repeat(10_000_000);

  test.each([
    ['nothing', {}, 'command'],
    ['no object', 7, 'expected object'],
    ['text that was not JSON', '{"command": "ls', 'plain text and not JSON'],
    ['a list', [{ command: 'ls' }], 'expected object'],
    ['a wrong type', { command: 'true', background: 'yes' }, 'background: Invalid input: expected boolean'],
    ['an unknown key', { command: 'true', notify: true }, '"notify"'],
    ['an empty command', { command: '  ' }, 'it is empty'],
    ['a time limit of zero', { command: 'true', timeout: 0 }, 'more than zero seconds'],
    ['10 MB of command', { command: huge }, 'longer than 128 KiB'],
    ['10 MB of text', huge, 'plain text and not JSON'],
    ['10 MB of key', { command: 'true', [huge]: 1 }, 'Unrecognized key'],
    [
      'a million patterns',
      { command: 'true', watch_patterns: Array.from({ length: 1_000_000 }, () => 1) },
      '<=20 items',
    ],
  ])('refuses %s in a short sentence', async (_, input, said) => {
    const before = await stage.store.processes.list();
    const outcome = await run(input);
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).toContain(said);
    expect(outcome.result.length).toBeLessThan(1_500);
    expect(await stage.store.processes.list()).toHaveLength(before.length);
  });
});

describe('for code in a sandbox', () => {
  test.each([{ notify_on_complete: true }, { notify_on_complete: false }, { watch_patterns: ['x'] }])(
    'N17 knows no %o',
    async (wish) => {
      const file = join(stage.home, 'work', 'touched');
      const outcome = await run({ command: `touch ${file}`, background: true, ...wish }, { mayNotify: false });
      expect(outcome).toMatchObject({ failed: true });
      expect(outcome.result).toContain('Unrecognized key');
      expect(existsSync(file)).toBe(false);
    },
  );

  test('N17 owes nothing, not even for a command that takes too long', async () => {
    const outcome = await run({ command: 'read x' }, { mayNotify: false, figures: HASTY });
    const id = processOf(outcome);
    expect(outcome.result).toContain('will not notify any session');
    expect(terminal({ mayNotify: false }).shape.description).not.toContain('notify');
    await kill(id);
    expect(await noticesOf(id)).toEqual([]);
  });
});

describe('what the model is told of it', () => {
  test('W11 notify for almost everything long, patterns for a rare signal, not both, never a loop', () => {
    const { description, schema } = terminal({ figures: TERMINAL_FIGURES }).shape;
    for (const sentence of [
      'longer than 10s continues in the background',
      'notify_on_complete is the right choice for almost every long command',
      'watch_patterns is only for a rare one-shot signal of a long-lived process',
      'Rouse reports at most one match every 15s',
      '3 strikes',
      'Use only one of the two',
      'Never poll, wait or sleep in a loop',
    ])
      expect(description).toContain(sentence);
    expect(schema).toMatchObject({ type: 'object', required: ['command'], additionalProperties: false });
    expect(Object.keys((schema as { properties: object }).properties)).toEqual(
      'command background pty workdir timeout place notify_on_complete watch_patterns'.split(' '),
    );
  });
});
