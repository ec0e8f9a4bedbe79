/** The approval policy through a real host: an agent that calls tools, and a real MCP server. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import type { ApprovalPolicy } from '../../src/domain/approval/approval.js';
import { newFolder } from '../support/clean-up.js';
import { startHost } from '../support/host.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

let folder: string;

beforeEach(() => {
  folder = newFolder();
});
const program = fileURLToPath(new URL('../programs/mcp-server.mjs', import.meta.url));

async function talk(approval: ApprovalPolicy): Promise<Talk> {
  const mcpServers = { far: { command: process.execPath, args: [program, 'serve', join(folder, 'pid')] } };
  const host = await startHost({ config: { approval, mcpServers, model: 'rehearsal' } });
  return Talk.begin(host);
}

async function results(one: Talk, lines: readonly string[]) {
  await one.say(lines.join('\n'));
  const entries = await one.ended(1);
  return entries.flatMap((entry) => (entry.kind === 'toolResult' ? [entry] : []));
}

test('T15 deny refuses everything that acts, and lets the agent read', async () => {
  const one = await talk('deny');
  const path = join(folder, 'written');
  const found = await results(one, [
    `call terminal {"command": "touch ${path}"}`,
    `call write_file {"path": "${path}", "content": "x"}`,
    'call far__add {"a": 1, "b": 2}',
    'call far__env {}',
    'call read_file {"path": "/etc/hostname"}',
    'call process {"action": "list"}',
  ]);
  expect(found.map(({ failed }) => failed)).toEqual([true, true, true, false, false, false]);
  for (const { result } of found.slice(0, 3)) expect(result).toContain('The approval policy is "deny"');
  expect(existsSync(path)).toBe(false);
  expect((await one.kinds()).includes('question')).toBe(false);
});

test('T15 T11 risky asks before a shell is given what is dangerous, and only an answer lets it through', async () => {
  const one = await talk('risky');
  const path = join(folder, 'written');
  // It finds no programs, so that nothing of what is typed could do any harm, whatever becomes of the policy.
  await one.say('call terminal {"command": "PATH=/nonexistent /bin/bash", "background": true}');
  const started = await one.comes('toolResult');
  await one.ended(1);
  await one.say(
    [
      `call process {"action": "submit", "process_id": "${started.process}", "data": "echo x > ${path}"}`,
      `call process {"action": "submit", "process_id": "${started.process}", "data": "rm -rf ~"}`,
    ].join('\n'),
  );
  const question = await one.comes('question');
  expect(question.about).toMatchObject({ kind: 'approval', command: expect.stringContaining('rm -rf ~') });
  await one.host.client.answer(one.id, question.question, 'no');
  const entries = await one.ended(2);
  const said = entries.flatMap((entry) => (entry.kind === 'toolResult' ? [entry.result] : []));
  expect(said.at(-1)).toMatch(/^Nothing was sent: a person was asked/);
  expect(said.at(-2)).toBe('Sent.');
  await until('the harmless line ran', () => existsSync(path) && readFileSync(path, 'utf8') === 'x\n');
});

test('T15 risky asks about a tool that its MCP server calls destructive', async () => {
  const one = await talk('risky');
  await one.say(['call far__add {"a": 1, "b": 2}', 'call far__drop {}'].join('\n'));
  const question = await one.comes('question');
  expect(question.about).toMatchObject({ command: expect.stringContaining('far__drop') });
  await one.host.client.answer(one.id, question.question, 'yes');
  const found = (await one.ended(1)).flatMap((entry) => (entry.kind === 'toolResult' ? [entry.result] : []));
  expect(found).toEqual([
    expect.stringMatching(/far__add[^]*\b3\b/),
    expect.stringMatching(/far__drop[^]*\bdropped\b/),
  ]);
});
