import { beforeAll, describe, expect, test } from 'vitest';
import { StoredApprovals } from '../../src/runtime/session/tools/approval.js';
import { logLines } from '../../src/runtime/session/tools/process-text.js';
import { PROCESS_FIGURES, processTool } from '../../src/runtime/session/tools/process.js';
import type { Tool } from '../../src/runtime/session/tools/tool.js';
import type { SessionRecord } from '../../src/ports/store.js';
import { openStage, type Stage } from '../support/tool-stage.js';
import { until } from '../support/until.js';

let stage: Stage;
let session: SessionRecord;
let tool: Tool;

beforeAll(async () => {
  stage = await openStage();
  session = await stage.session();
  const homes = { home: '/home/nobody', rouseHome: stage.home };
  const { redact } = stage.supervisor.redactor;
  const approval = { policy: 'allow', approvals: new StoredApprovals(stage.store), homes, redact } as const;
  tool = processTool({ ...stage, approval, figures: PROCESS_FIGURES });
});

const run = (input: object, of: SessionRecord = session) => tool.run(input, stage.turn(of).context);
const started = (command: string) => stage.start(session, command, { notifyOnComplete: true });
const completionOf = async (id: string) =>
  (await stage.store.notices.list({ session: session.id })).find((notice) => notice.process === id)?.standing;
const wrote = (id: string, text: string) =>
  until(`${id} wrote ${text}`, async () => (await run({ action: 'log', process_id: id })).result.includes(text));

async function ended(command: string) {
  const id = await started(command);
  await stage.ended(id);
  return id;
}

describe('whose processes', () => {
  test('N3 knows its own session’s processes alone; an id of another’s is as unknown as one of nobody’s', async () => {
    const other = await stage.session();
    const id = await ended('echo theirs');
    for (const action of ['poll', 'log', 'wait', 'kill', 'write', 'submit', 'close']) {
      const input = { action, data: 'x', timeout: 1 };
      const known = await run({ ...input, process_id: id }, other);
      const unknown = await run({ ...input, process_id: 'proc_nobodyhasthis' }, other);
      expect(known).toEqual({
        ...unknown,
        result: unknown.result.replace('proc_nobodyhasthis', id),
      });
      expect(known).toMatchObject({ failed: true, result: `There is no process "${id}". "process list" lists them.` });
    }
    expect(await completionOf(id)).toMatchObject({ kind: 'pending' });
    expect((await run({ action: 'list' }, other)).result).toBe('This session has no processes.');
  });

  test('P19 takes a beginning of an id that is one only among its own, and names the candidates where it is not', async () => {
    const alone = await stage.session();
    const [first, second] = [await stage.start(alone, 'true'), await stage.start(session, 'true')];
    expect(second.slice(0, 6)).toBe(first.slice(0, 6));
    expect((await run({ action: 'poll', process_id: first.slice(0, 6) }, alone)).result).toContain(first);
    await stage.start(alone, 'true');
    const ambiguous = await run({ action: 'poll', process_id: 'proc_0' }, alone);
    expect(ambiguous).toMatchObject({ failed: true });
    expect(ambiguous.result).toContain(first);
    expect(ambiguous.result).not.toContain(second);
  });

  test('lists the running ones first and consumes nothing (N4)', async () => {
    const running = await started('read x');
    const over = await ended('exit 3');
    const outcome = await run({ action: 'list' });
    expect(outcome).not.toHaveProperty('consumes');
    expect(outcome.result.indexOf(running)).toBeLessThan(outcome.result.indexOf(over));
    expect(outcome.result).toMatch(new RegExp(`${over} ended with exit 3 after .*: exit 3`));
    expect((await run({ action: 'list', limit: 1 })).result).toMatch(/… and \d+ more\./);
    await run({ action: 'kill', process_id: running });
  });
});

describe('what shows the end', () => {
  test.each(['poll', 'log', 'wait', 'kill'])(
    'N3 %s of an ended process shows how it ended and consumes it',
    async (how) => {
      const id = await ended('echo built; exit 2');
      const outcome = await run({ action: how, process_id: id });
      expect(outcome).toMatchObject({ failed: false, process: id, consumes: { process: id, how } });
      expect(outcome.result).toContain(`Process ${id} ended with exit 2`);
      expect(outcome.result).toContain('| built');
      await stage.settle(outcome);
      expect(await completionOf(id)).toMatchObject({ state: 'consumed', reason: `${how} showed it to the agent` });
    },
  );

  test('P5 wait is over when the process is, and shows its end', async () => {
    const id = await started('read x; echo "got $x"');
    const waiting = run({ action: 'wait', process_id: id, timeout: 600 });
    await run({ action: 'submit', process_id: id, data: 'it' });
    expect(await waiting).toMatchObject({ consumes: { process: id, how: 'wait' } });
    expect((await waiting).result).toContain('| got it');
  });

  test('P8 kill of an ended process says so, and how it ended', async () => {
    const { result } = await run({ action: 'kill', process_id: await ended('exit 4') });
    expect(result).toMatch(/ended with exit 4.*\n.*already ended/);
  });

  test('P7 kill ends the whole tree and says by whom and how', async () => {
    const id = await started('(trap "" TERM; echo up; while :; do sleep 1; done) & wait');
    await wrote(id, 'up');
    const outcome = await run({ action: 'kill', process_id: id });
    expect(outcome).toMatchObject({ consumes: { process: id, how: 'kill' } });
    expect(outcome.result).toMatch(/ended with SIG(?:TERM|KILL) by agent/);
    expect(outcome.result).not.toContain('Still alive');
  });
});

describe('what does not', () => {
  test('N4 a poll while it runs tells state, uptime and tail, and consumes nothing', async () => {
    const id = await started('seq 1 30; read x');
    await wrote(id, '30');
    const outcome = await run({ action: 'poll', process_id: id });
    expect(outcome.result).toMatch(/has been running for \d/);
    expect(outcome.result).toContain('cut to the last 20 lines');
    expect(outcome.result).toMatch(/\n\| 11\n[\s\S]*\n\| 30\n/);
    expect(outcome.result).not.toMatch(/\n\| 10\n/);
    expect(outcome).not.toHaveProperty('consumes');
    await run({ action: 'kill', process_id: id });
  });

  test('P22 a poll tells that it waits for input', async () => {
    const id = await started('read x');
    await until('it is shown to wait', async () =>
      (await run({ action: 'poll', process_id: id })).result.includes('waits for input'),
    );
    await run({ action: 'kill', process_id: id });
  });

  test('N4 a page of the log that does not reach the end consumes nothing, and says how to read on', async () => {
    const id = await ended('seq 0 499');
    const first = await run({ action: 'log', process_id: id, offset: 0 });
    expect(first).not.toHaveProperty('consumes');
    expect(first.result).toContain('Lines 0 to 199 of 500; read on with offset 200:');
    expect(first.result).not.toContain('ended with');
    const last = await run({ action: 'log', process_id: id, offset: 400 });
    expect(last).toMatchObject({ consumes: { how: 'log' } });
    expect(last.result).toContain('Lines 400 to 499 of 500:\n```\n| 400\n');
    expect((await run({ action: 'log', process_id: id, offset: -1 })).result).toContain('Lines 499 to 499 of 500:');
    expect((await run({ action: 'log', process_id: id, offset: 900 })).result).toContain('nothing from line 500');
  });

  test('P5 a page of endless lines is cut, says so, and does not count as the end', async () => {
    const id = await ended(`head -c 200000 /dev/zero | tr '\\0' x; echo; echo last`);
    const outcome = await run({ action: 'log', process_id: id });
    expect(outcome).not.toHaveProperty('consumes');
    expect(outcome.result).toContain('Lines 0 to 0 of 2, cut after 32768 bytes; read on with offset 1:');
    expect(await run({ action: 'log', process_id: id, offset: 1 })).toMatchObject({ consumes: { how: 'log' } });
  });

  test('P5 a wait whose time is up says that it still runs and that this is no error', async () => {
    const id = await started('read x');
    const outcome = await run({ action: 'wait', process_id: id, timeout: 0.01 });
    expect(outcome).toMatchObject({ failed: false });
    expect(outcome).not.toHaveProperty('consumes');
    expect(outcome.result).toContain('The time is up: the process is still running, which is not an error');
    await run({ action: 'kill', process_id: id });
  });

  test.each(['speak', 'end'] as const)(
    'T5 a wait is over when the turn hears: %s; the process goes on',
    async (what) => {
      const id = await started('read x');
      const turn = stage.turn(session);
      const waiting = tool.run({ action: 'wait', process_id: id, timeout: 600 }, turn.context);
      turn[what]();
      const outcome = await waiting;
      expect(outcome.result).toContain('the process is still running, which is not an error');
      expect(outcome.result.includes('a person sent a message')).toBe(what === 'speak');
      const again = await tool.run({ action: 'wait', process_id: id, timeout: 600 }, turn.context);
      expect(again).toMatchObject({ failed: false });
      expect(stage.supervisor.unfinishedOne(id)).toBeDefined();
      await run({ action: 'kill', process_id: id });
    },
  );
});

describe('input', () => {
  test('P6 write sends text as it is, submit adds a newline, close ends it', async () => {
    const id = await started('cat');
    await run({ action: 'write', process_id: id, data: 'one ' });
    await run({ action: 'submit', process_id: id, data: 'line' });
    await wrote(id, '| one line');
    expect(await run({ action: 'close', process_id: id })).toMatchObject({ failed: false });
    expect((await run({ action: 'wait', process_id: id })).result).toContain('ended with exit 0');
  });

  test.each(['write', 'submit', 'close'])('P6 %s on an ended process says so and consumes nothing', async (action) => {
    const outcome = await run({ action, process_id: await ended('true'), data: 'x' });
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome).not.toHaveProperty('consumes');
    expect(outcome.result).toContain('has already ended');
  });
});

test('refuses to write nothing', async () => {
  const id = await started('read x');
  expect(await run({ action: 'write', process_id: id })).toMatchObject({ failed: true });
  expect(await run({ action: 'submit', process_id: id })).toMatchObject({ failed: false });
});

describe('what is told', () => {
  test('P20 no secret, also one that terminal codes cut in two', async () => {
    const id = await ended(String.raw`printf 'sk-abcdef\033[31mghijklmnopqrstuvwxyz0123\n'`);
    for (const action of ['poll', 'log', 'wait']) {
      const { result } = await run({ action, process_id: id });
      expect(result).toContain('[redacted]');
      expect(result).not.toContain('ghijkl');
    }
  });

  test('P17 how many bytes are gone, and what the command did to its output', () => {
    const page = { text: 'a\nb\n', from: 0, to: 900, size: 900, released: 896, line: 0, lines: 2, totalLines: 2 };
    const lines = logLines({ ...page, damage: 'It was deleted.' }, { lines: 9, bytes: 99 }, (text) => text);
    expect(lines.slice(0, 3)).toEqual([
      'Lines 0 to 1 of 2:',
      '896 bytes before these lines are gone: the output is over its quota.',
      'It was deleted.',
    ]);
  });
});

describe('what it cannot use', () => {
  test.each([
    ['an action that is none', { action: 'stop' }, 'action'],
    ['no id', { action: 'poll' }, 'process poll needs a process_id'],
    ['a wait of zero', { action: 'wait', process_id: 'proc_0', timeout: 0 }, 'positive number of seconds'],
    ['a wait of less', { action: 'wait', process_id: 'proc_0', timeout: -3 }, 'positive number of seconds'],
    ['an unknown key', { action: 'list', session: 'ses_x' }, '"session"'],
    ['a wrong type', { action: 'log', process_id: 7 }, 'process_id'],
  ])('P5 refuses %s in a sentence', async (_, input, said) => {
    const outcome = await run(input);
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).toContain(said);
  });
});
