import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApprovalPolicy } from '../../src/domain/approval/approval.js';
import { StoredApprovals } from '../../src/runtime/session/tools/approval.js';
import { TERMINAL_FIGURES, terminalTool } from '../../src/runtime/session/tools/terminal.js';
import type { Answer } from '../../src/domain/session/open-question.js';
import type { SessionRecord } from '../../src/ports/store.js';
import { nobody, openStage, person, TOKEN, type Stage } from '../support/tool-stage.js';

let stage: Stage;
let session: SessionRecord;
let count = 0;
let file: string;

beforeAll(async () => {
  stage = await openStage();
  session = await stage.session();
});
beforeEach(() => {
  file = join(stage.home, `ran-${++count}`);
});

async function ask(policy: ApprovalPolicy, command: string, answers: readonly Answer[] = [], more: object = {}) {
  const { redact } = stage.supervisor.redactor;
  const homes = { home: '/home/nobody', rouseHome: '/home/nobody/.rouse' };
  const approval = { policy, approvals: new StoredApprovals(stage.store), homes, redact };
  const tool = terminalTool({ ...stage, approval, figures: TERMINAL_FIGURES, workdir: stage.home, mayNotify: true });
  const turn = stage.turn(session, answers);
  return { outcome: await tool.run({ command, ...more }, turn.context), asked: turn.asked };
}

const touch = () => `touch ${file}`;
const ran = () => existsSync(file);

describe('the policies', () => {
  test('allow runs without a question', async () => {
    await ask('allow', touch());
    expect(ran()).toBe(true);
  });

  test('deny runs nothing and asks nobody', async () => {
    const { outcome } = await ask('deny', touch());
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).toContain('was not run');
    expect(ran()).toBe(false);
  });

  test('risky runs the rest, and asks about what is on its list', async () => {
    await ask('risky', touch());
    expect(ran()).toBe(true);
    const { asked, outcome } = await ask('risky', 'shutdown -h now', [person('no')]);
    expect(asked).toHaveLength(1);
    expect(outcome).toMatchObject({ failed: true });
  });

  test('ask asks about exactly this text, in this folder, at this place', async () => {
    const { asked } = await ask('ask', touch(), [person('yes')], { workdir: '/tmp' });
    expect(asked).toMatchObject([
      { choices: ['yes', 'always', 'no'], about: { kind: 'approval', command: touch(), cwd: '/tmp', place: 'local' } },
    ]);
    expect(ran()).toBe(true);
  });
});

describe('the answer', () => {
  test.each(['no', '', 'maybe', 'yes but in another folder', 'what does it do?'])(
    'anything but a clear yes refuses it: %j',
    async (text) => {
      const { outcome } = await ask('ask', touch(), [person(text)]);
      expect(outcome).toMatchObject({ failed: true });
      expect(outcome.result).toContain(`answered "${text}"`);
      expect(ran()).toBe(false);
    },
  );

  test('none in time is a refusal, and is told as such', async () => {
    const { outcome } = await ask('ask', touch(), [nobody]);
    expect(outcome).toMatchObject({ failed: true });
    expect(outcome.result).toContain('none came in time');
    expect(ran()).toBe(false);
  });

  test('yes is for once', async () => {
    await ask('ask', touch(), [person('Yes.')]);
    const { asked } = await ask('ask', touch(), [person('no')]);
    expect(asked).toHaveLength(1);
  });

  test('always is for this text in this folder, also after a restart, and for no other', async () => {
    await ask('ask', touch(), [person('always')]);
    expect((await ask('ask', touch())).asked).toEqual([]);
    expect((await ask('ask', `${touch()} `, [person('no')])).asked).toHaveLength(1);
    expect((await ask('ask', touch(), [person('no')], { workdir: '/' })).asked).toHaveLength(1);
    const again = new StoredApprovals(stage.store);
    await again.allow({ command: touch(), cwd: stage.home, place: 'local' });
    const listed = (await again.allowed()).filter(({ command }) => command === touch());
    expect(listed).toEqual([{ command: touch(), cwd: stage.home, place: 'local' }]);
  });

  test('P20 a command with a secret is asked about exactly as it runs, and is not remembered', async () => {
    const command = `${touch()} && echo ${TOKEN}`;
    const { asked } = await ask('ask', command, [person('always')]);
    expect(ran()).toBe(true);
    expect(asked).toMatchObject([{ choices: ['yes', 'no'], about: { command } }]);
    expect(JSON.stringify(await new StoredApprovals(stage.store).allowed())).not.toContain(TOKEN);
  });

  test('a yes that comes when the turn is over runs nothing', async () => {
    const turn = stage.turn(session);
    const context = {
      ...turn.context,
      ask: async () => {
        turn.end();
        return person('yes');
      },
    };
    const { redact } = stage.supervisor.redactor;
    const homes = { home: '/home/nobody', rouseHome: '/home/nobody/.rouse' };
    const approval = { policy: 'ask', approvals: new StoredApprovals(stage.store), homes, redact } as const;
    const tool = terminalTool({ ...stage, approval, figures: TERMINAL_FIGURES, workdir: stage.home, mayNotify: true });
    expect(await tool.run({ command: touch() }, context)).toMatchObject({ failed: true });
    expect(ran()).toBe(false);
  });
});
