import { describe, expect, test } from 'vitest';
import {
  consent,
  consentChoices,
  covers,
  judge as judgeAct,
  type ApprovalPolicy,
  type Asked,
} from '../../src/domain/approval/approval.js';
import { whyRiskyCommand } from '../../src/domain/approval/risk.js';

const homes = { home: '/home/ann', rouseHome: '/home/ann/.rouse' };
const asked = (command: string, more: Partial<Asked> = {}): Asked => ({
  command,
  cwd: '/home/ann/project',
  place: 'local',
  ...more,
});

const judge = (policy: ApprovalPolicy, one: Asked, allowed: readonly Asked[], around: typeof homes) =>
  judgeAct(policy, one, allowed, () => whyRiskyCommand(one.command, { ...around, cwd: one.cwd }));

describe('approval', () => {
  test('asks about what is risky and lets the rest run, unless told otherwise', () => {
    expect(judge('risky', asked('npm test'), [], homes)).toEqual({ kind: 'run' });
    expect(judge('risky', asked('rm -rf /'), [], homes)).toEqual({
      kind: 'ask',
      why: 'Rouse asks first because it deletes / and everything in it.',
    });
  });

  test('judges by the folder in which the command would run', () => {
    expect(judge('risky', asked('rm -rf *', { cwd: '/' }), [], homes).kind).toBe('ask');
    expect(judge('risky', asked('rm -rf *'), [], homes).kind).toBe('run');
  });

  test('asks about everything that is not on the list when it is to ask', () => {
    expect(judge('ask', asked('ls'), [], homes).kind).toBe('ask');
    expect(judge('ask', asked('ls'), [asked('ls')], homes).kind).toBe('run');
  });

  test('allows and denies everything when it is told to', () => {
    expect(judge('allow', asked('rm -rf /'), [], homes).kind).toBe('run');
    expect(judge('deny', asked('ls'), [asked('ls')], homes).kind).toBe('deny');
  });

  test('binds an approval to the exact text, folder and place', () => {
    const allowed = [asked('make clean')];
    const others = [
      asked('make  clean'),
      asked('make clean '),
      asked('make clean; ls'),
      asked('make clean', { cwd: '/home/ann' }),
      asked('make clean', { place: 'server' }),
    ];
    expect(covers(asked('make clean'), asked('make clean'))).toBe(true);
    for (const other of others) expect(judge('ask', other, allowed, homes).kind).toBe('ask');
  });

  test('T15 never takes an approval of one kind for another', () => {
    expect(judge('ask', asked('ls', { kind: 'input' }), [asked('ls')], homes).kind).toBe('ask');
    expect(judge('ask', asked('ls', { kind: 'input' }), [asked('ls', { kind: 'input' })], homes).kind).toBe('run');
    expect(judge('ask', asked('ls', { kind: 'command' }), [asked('ls')], homes).kind).toBe('run');
  });

  test('T11 N10 takes only the plain word of a person for consent', () => {
    const person = (text: string) => consent({ text, by: 'person' });
    expect(['yes', 'Yes.', ' y ', 'run it'].map(person)).toEqual(['once', 'once', 'once', 'once']);
    expect(person('always')).toBe('always');
    expect(['no', '', 'yes but not now', 'ok whatever', 'constructor', 'yes\nyes'].map(person)).toEqual(
      Array.from({ length: 6 }, () => 'no'),
    );
    expect(consent({ text: 'yes', by: 'timeout' })).toBe('no');
    expect(consentChoices.map(person)).toEqual(['once', 'always', 'no']);
  });
});
