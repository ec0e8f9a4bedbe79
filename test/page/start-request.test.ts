import { expect, test } from 'vitest';
import { StartRequest } from 'rouse/contract/process';
import { requestOf } from '../../web/src/process/start-request.js';

const fields = { command: 'make', cwd: '', name: ' ', session: 'ses_one', told: 'nothing', pattern: 'ERROR' };

test('P1 asks for what was filled in, and for nothing else', () => {
  expect(requestOf(fields)).toEqual({ command: 'make', session: 'ses_one' });
  expect(requestOf({ ...fields, cwd: ' /work ', name: 'build', pty: 'on' })).toEqual({
    command: 'make',
    session: 'ses_one',
    cwd: '/work',
    name: 'build',
    pty: true,
  });
});

test('N6 asks for the end or for a pattern, never for both', () => {
  expect(requestOf({ ...fields, told: 'end' })).toMatchObject({ notifyOnComplete: true });
  expect(requestOf({ ...fields, told: 'end' })).not.toHaveProperty('watchPatterns');
  expect(requestOf({ ...fields, told: 'pattern' })).toMatchObject({ watchPatterns: ['ERROR'] });
  expect(requestOf({ ...fields, told: 'pattern' })).not.toHaveProperty('notifyOnComplete');
});

test('N2 asks for no notice where there is no session to tell', () => {
  expect(requestOf({ ...fields, session: '', told: 'end' })).toEqual({ command: 'make' });
});

test('asks in a way that the host understands', () => {
  expect(StartRequest.safeParse(requestOf({ ...fields, pty: 'on', told: 'pattern' })).success).toBe(true);
});
