/** One approval policy for everything that acts (T15): input to processes, files, tools of MCP servers. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ProcessId } from '../../src/contract/ids.js';
import type { ApprovalPolicy } from '../../src/domain/approval/approval.js';
import { StoredApprovals } from '../../src/runtime/session/tools/approval.js';
import { readFileTool, writeFileTool } from '../../src/runtime/session/tools/files.js';
import { answered, type Tool } from '../../src/runtime/session/tools/tool.js';
import { approved } from '../../src/runtime/session/tools/mcp-tool.js';
import { PROCESS_FIGURES, processTool } from '../../src/runtime/session/tools/process.js';
import type { Answer } from '../../src/domain/session/open-question.js';
import type { SessionRecord } from '../../src/ports/store.js';
import { openStage, person, type Stage } from '../support/tool-stage.js';
import { until } from '../support/until.js';

let stage: Stage;
let session: SessionRecord;
let home: string;
let count = 0;

beforeAll(async () => {
  stage = await openStage();
  session = await stage.session();
  home = join(stage.home, 'person');
  mkdirSync(join(home, '.ssh'), { recursive: true });
});

const approvalOf = (policy: ApprovalPolicy) => ({
  policy,
  approvals: new StoredApprovals(stage.store),
  homes: { home, rouseHome: '/home/nobody/.rouse' },
  redact: stage.supervisor.redactor.redact,
});

async function call(tool: Tool, input: object, answers: readonly Answer[] = []) {
  const turn = stage.turn(session, answers);
  return { outcome: await tool.run(input, turn.context), asked: turn.asked };
}

const processes = (policy: ApprovalPolicy): Tool =>
  processTool({ ...stage, approval: approvalOf(policy), figures: PROCESS_FIGURES });

/** Finds no programs, so that nothing of what is typed here could do any harm, whatever becomes of the policy. */
const SHELL = 'PATH=/nonexistent /bin/bash';

const fresh = () => join(stage.home, `made-${++count}`);
const end = (id: ProcessId) => stage.supervisor.kill(id, 'SIGKILL', 'test');

describe('input to a shell', () => {
  test('T15 deny sends nothing and asks no person, but lets the agent look at its process and end it', async () => {
    const tool = processes('deny');
    const id = await stage.start(session, SHELL);
    const made = fresh();
    const { outcome } = await call(tool, { action: 'submit', process_id: id, data: `echo x > ${made}` });
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).toBe('Nothing was sent. The approval policy is "deny": only reading is allowed here.');
    for (const action of ['list', 'poll', 'log', 'kill'])
      expect((await call(tool, { action, process_id: id })).outcome).toMatchObject({ failed: false });
    expect(existsSync(made)).toBe(false);
  });

  test('T15 ask asks about exactly this text, and learns it by always', async () => {
    const tool = processes('ask');
    const id = await stage.start(session, SHELL);
    const made = fresh();
    const input = { action: 'submit', process_id: id, data: `echo x >> ${made}` };
    const first = await call(tool, input, [person('no')]);
    expect(first.outcome).toMatchObject({ failed: true });
    expect(first.asked[0]?.about).toMatchObject({ command: expect.stringContaining(input.data), cwd: stage.home });
    expect((await call(tool, input, [person('always')])).outcome).toMatchObject({ failed: false });
    expect((await call(tool, input)).asked).toEqual([]);
    await until('both lines ran', () => existsSync(made) && readFileSync(made, 'utf8') === 'x\nx\n');
    await end(id);
  });

  test('T15 risky judges it as a command, also when it comes in pieces', async () => {
    const tool = processes('risky');
    const id = await stage.start(session, SHELL);
    const write = (data: string, answers: readonly Answer[] = []) =>
      call(tool, { action: 'write', process_id: id, data }, answers);
    const made = fresh();
    expect((await write(`echo x > ${made}\n`)).asked).toEqual([]);
    await until('it ran', () => existsSync(made));
    expect((await write('rm -rf')).asked).toEqual([]);
    const { asked, outcome } = await write(' /\n', [person('no')]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.text).toContain('it deletes / and everything in it');
    expect(outcome).toMatchObject({ failed: true });
    await end(id);
  });

  test('T15 risky knows the folder of an earlier line, and the calls of one step one after the other', async () => {
    const tool = processes('risky');
    const id = await stage.start(session, SHELL);
    await call(tool, { action: 'submit', process_id: id, data: 'cd /' });
    const folder = await call(tool, { action: 'submit', process_id: id, data: 'rm -rf ./*' }, [person('no')]);
    expect(folder.asked).toHaveLength(1);
    const [, second] = await Promise.all([
      call(tool, { action: 'write', process_id: id, data: 'shut' }),
      call(tool, { action: 'write', process_id: id, data: 'down -h now\n' }, [person('no')]),
    ]);
    expect(second.asked).toHaveLength(1);
    await end(id);
  });

  test('T15 risky asks once about a shell that is older than the host', async () => {
    const id = await stage.start(session, SHELL);
    const tool = processes('risky');
    const input = { action: 'submit', process_id: id, data: 'true' };
    const { asked } = await call(tool, input, [person('yes')]);
    expect(asked[0]?.text).toContain('the host was restarted');
    expect((await call(tool, input)).asked).toEqual([]);
    await end(id);
  });

  test('T15 risky does not ask about an answer to another program', async () => {
    const tool = processes('risky');
    const id = await stage.start(session, 'cat');
    for (const data of ['y', "it's", '{"method": "$ref"}', '$1'])
      expect((await call(tool, { action: 'submit', process_id: id, data })).outcome).toMatchObject({ failed: false });
    await end(id);
  });
});

describe('write_file', () => {
  const files = (policy: ApprovalPolicy) => ({
    workdir: home,
    home,
    rouseHome: '/home/nobody/.rouse',
    umask: 0o022,
    approval: approvalOf(policy),
  });

  test('T15 deny writes nothing, and reading stays allowed', async () => {
    const path = fresh();
    const { outcome } = await call(writeFileTool(files('deny')), { path, content: 'x' });
    expect(outcome).toMatchObject({ failed: true });
    expect(existsSync(path)).toBe(false);
    expect((await call(readFileTool(files('deny')), { path: '/etc/hostname' })).outcome).toMatchObject({
      failed: false,
    });
  });

  test('T15 ask shows path and content, and always is for that path', async () => {
    const path = fresh();
    const tool = writeFileTool(files('ask'));
    const { asked } = await call(tool, { path, content: 'one' }, [person('always')]);
    expect(asked[0]?.about).toMatchObject({ command: `${path}\n\none` });
    expect((await call(tool, { path, content: 'two' })).asked).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect((await call(tool, { path: `${path}.x`, content: 'x' }, [person('no')])).asked).toHaveLength(1);
  });

  test.each([
    '.ssh/authorized_keys',
    '~/.ssh/authorized_keys',
    '.bashrc',
    '.config/systemd/user/x.service',
    '/proc/sys/rouse-test',
    'shortcut/config',
  ])('T15 risky asks before it writes %s', async (path) => {
    if (!existsSync(join(home, 'shortcut'))) symlinkSync('.ssh', join(home, 'shortcut'));
    const { asked, outcome } = await call(writeFileTool(files('risky')), { path, content: 'x' }, [person('no')]);
    expect(asked).toHaveLength(1);
    expect(outcome.result).toMatch(/^The file was not written/);
  });

  test('T15 risky writes an ordinary file without a question', async () => {
    const path = fresh();
    expect((await call(writeFileTool(files('risky')), { path, content: 'x' })).asked).toEqual([]);
    expect(existsSync(path)).toBe(true);
  });
});

describe('a tool of an MCP server', () => {
  const offered = (hints: { reads?: boolean; destroys?: boolean } = {}) => {
    const calls: unknown[] = [];
    const tool = {
      shape: { name: 'far__do', description: '', schema: {} },
      reads: false,
      destroys: false,
      ...hints,
      run: async (input: unknown) => {
        calls.push(input);
        return answered('done');
      },
    };
    return { tool, calls };
  };

  test('T15 deny calls only what reads', async () => {
    const [acts, reads] = [offered(), offered({ reads: true })];
    expect((await call(approved(acts.tool, approvalOf('deny')), { a: 1 })).outcome).toMatchObject({ failed: true });
    await call(approved(reads.tool, approvalOf('deny')), { a: 1 });
    expect([acts.calls, reads.calls]).toEqual([[], [{ a: 1 }]]);
  });

  test('T15 ask asks about exactly these arguments', async () => {
    const { tool, calls } = offered();
    const asking = approved(tool, approvalOf('ask'));
    await call(asking, { a: 1 }, [person('always')]);
    expect((await call(asking, { a: 1 })).asked).toEqual([]);
    expect((await call(asking, { a: 2 }, [person('no')])).asked).toHaveLength(1);
    expect(calls).toHaveLength(2);
  });

  test('T15 risky asks about what its server calls destructive, and about nothing else', async () => {
    const [destroys, plain] = [offered({ destroys: true }), offered()];
    await call(approved(destroys.tool, approvalOf('risky')), {}, [person('no')]);
    await call(approved(plain.tool, approvalOf('risky')), {});
    expect([destroys.calls, plain.calls]).toEqual([[], [{}]]);
  });
});
