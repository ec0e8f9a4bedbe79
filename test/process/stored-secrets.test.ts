/** What is in the store and in the log of a host after secrets went through it everywhere. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { chatCompletions } from '../support/protocols.js';
import { ProviderServer } from '../support/provider.js';
import { Talk } from '../support/talk.js';
import { until } from '../support/until.js';

/** Put together here, another one each time. */
const secret = () => ['ghp', randomBytes(18).toString('hex')].join('_');

/** Everything that a host keeps outside the output files. */
const kept = ({ home, log }: TestHost): string =>
  ['rouse.db', 'rouse.db-wal', 'models.json', 'host.json']
    .map((name) => join(home, name))
    .map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : ''))
    .join('\n') + log();

describe('outside the output files there is no secret', () => {
  test('P20 of a process: its command, name, environment, output and matches', async () => {
    const host = await startHost();
    const session = (await host.client.createSession({ agent: 'none', title: 'Builds' })).session.id;
    const planted = {
      command: secret(),
      name: secret(),
      value: `no pattern knows this: ${randomBytes(8).toString('hex')}`,
      output: secret(),
      match: secret(),
    };
    const started = await host.client.start({
      session,
      notifyOnComplete: true,
      name: `run ${planted.name}`,
      command: `true ${planted.command}; echo "$PRINTED"`,
      env: { PRINTED: `token is ${planted.output}`, UNKNOWN: planted.value },
    });
    await host.client.start({
      session,
      watchPatterns: ['READY'],
      command: 'echo "READY $PRINTED"; sleep 60',
      env: { PRINTED: planted.match },
    });
    await until('both are told', async () => (await host.client.notices({ session })).length === 2);
    expect((await host.client.process(started.process.id)).process.command).toContain('[redacted]');
    const all = kept(host);
    expect(all).toContain(started.process.id);
    for (const [where, planting] of Object.entries(planted)) expect(all.includes(planting), where).toBe(false);
  });

  test('P20 of a notice that somebody sent from outside', async () => {
    const host = await startHost();
    const session = (await host.client.createSession({ agent: 'none', title: 'Builds' })).session.id;
    const [text, from] = [secret(), secret()];
    const { notice } = await host.client.notify(session, `deployed with ${text}`, { from: `ci ${from}` });
    expect(notice.cause).toMatchObject({ text: 'deployed with [redacted]', from: 'ci [redacted]' });
    expect(kept(host)).not.toContain(text);
    expect(kept(host)).not.toContain(from);
  });

  test('P20 of what a provider or an MCP server repeats', async () => {
    const provider = await ProviderServer.start();
    const key = `key-of-the-test-${randomBytes(8).toString('hex')}`;
    const [answered, failed] = [secret(), secret()];
    const program = fileURLToPath(new URL('../programs/mcp-server.mjs', import.meta.url));
    const host = await startHost({
      env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${provider.url}/v1` },
      config: {
        approval: 'allow',
        mcpServers: {
          math: { command: process.execPath, args: [program, 'serve', '/dev/null'], env: { SAID: answered } },
        },
      },
    });
    const talk = await Talk.begin(host, { model: 'openai/m' });
    const call = { id: 'call_a', tool: 'math__say', input: ['{}'] };
    provider.willAnswer({ body: chatCompletions({ calls: [call] }) });
    provider.willAnswer({ status: 401, body: JSON.stringify({ error: { message: `bad ${key}, and ${failed}` } }) });
    await talk.say('say it');
    const entries = await talk.ended(1);
    expect(entries.find(({ kind }) => kind === 'toolResult')).toMatchObject({
      result: expect.stringContaining('| it is [redacted]'),
    });
    for (const planted of [key, answered, failed]) expect(kept(host)).not.toContain(planted);
  });
});
