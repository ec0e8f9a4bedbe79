import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../support/clean-up.js';
import { newHome } from '../support/host.js';
import { close, listen } from '../support/loopback.js';
import { diagnosis } from './diagnosis.js';

/** A provider that answers what is asked for its models with this; without an answer it is silent. */
async function provider(answer?: { status: number; body: string }): Promise<string> {
  const server = createServer((_, response) => {
    if (answer) response.writeHead(answer.status).end(answer.body);
  });
  return `${await listen(server)}/v1`;
}

const has = (...ids: string[]) => ({ status: 200, body: JSON.stringify({ data: ids.map((id) => ({ id })) }) });

const KEYLESS = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', OPENAI_BASE_URL: '', ROUSE_MODEL: '' };

const modelFinding = async (config: object, env: NodeJS.ProcessEnv = {}) => {
  const { status, of } = await diagnosis(newHome(config), { ...KEYLESS, ...env });
  return { status, ...of('model') };
};

describe('the model', () => {
  test('is well when its provider lists it, also without its date', async () => {
    const baseUrl = await provider(has('small', 'large-2026-01-01'));
    for (const model of ['own/small', 'own/large'])
      expect(await modelFinding({ model, providers: { own: { baseUrl } } })).toMatchObject({
        status: 0,
        verdict: 'ok',
      });
  });

  test('is well when it is the built-in one', async () => {
    expect(await modelFinding({})).toMatchObject({ status: 0, verdict: 'ok' });
  });

  test.each([
    ['a provider that is not configured', 'nobody/it', /There is no model nobody\/it here/],
    ['a provider without its key', 'anthropic/claude-sonnet-4-5', /ANTHROPIC_API_KEY is not set/],
  ])('is found unusable: %s', async (_, model, says) => {
    expect(await modelFinding({ model })).toMatchObject({
      status: 1,
      verdict: 'fail',
      says: expect.stringMatching(says) as string,
    });
  });

  test.each([
    ['a model that its provider does not have', has('small'), /has no model own\/it.*own\/small/],
    ['a key that is refused', { status: 401, body: '{}' }, /status 401.*Check the address and OWN_KEY/],
    ['an address that does not answer', undefined, /no answer within 4 s/],
  ])('is found unusable: %s', async (_, answer, says) => {
    const providers = { own: { baseUrl: await provider(answer), apiKeyEnv: 'OWN_KEY' } };
    expect(await modelFinding({ model: 'own/it', providers }, { OWN_KEY: 'k' })).toMatchObject({
      status: 1,
      verdict: 'fail',
      says: expect.stringMatching(says) as string,
    });
  });

  test('is found unusable: an address where nobody listens, and a key variable that is not set', async () => {
    const gone = createServer();
    const baseUrl = `${await listen(gone)}/v1`;
    await close(gone);
    expect((await modelFinding({ model: 'own/it', providers: { own: { baseUrl } } })).says).toContain('ECONNREFUSED');
    const providers = { own: { baseUrl, apiKeyEnv: 'OWN_KEY' } };
    expect((await modelFinding({ model: 'own/it', providers })).says).toContain('OWN_KEY is not set');
  });

  test('is not known to work where models are not listed', async () => {
    const providers = { own: { baseUrl: await provider({ status: 404, body: '' }) } };
    expect(await modelFinding({ model: 'own/it', providers })).toMatchObject({ status: 0, verdict: 'warn' });
  });
});

test('MCP servers: one that works, one that is not there, one that ends, one that says nothing', async () => {
  const program = fileURLToPath(new URL('../programs/mcp-server.mjs', import.meta.url));
  const folder = newFolder();
  const server = (be: string) => ({ command: process.execPath, args: [program, be, join(folder, be)] });
  const mcpServers = {
    well: server('well'),
    absent: { command: join(folder, 'nothing-here') },
    broken: server('broken'),
    mute: server('mute'),
    far: { url: 'http://127.0.0.1:1/mcp' },
  };
  const { status, of } = await diagnosis(newHome({ mcpServers }), KEYLESS);
  expect(status).toBe(1);
  expect(of('mcp well')).toMatchObject({ verdict: 'ok' });
  expect(of('mcp absent')).toMatchObject({ verdict: 'fail', says: expect.stringContaining('ENOENT') as string });
  expect(of('mcp broken')).toMatchObject({
    verdict: 'fail',
    says: expect.stringContaining('no licence found') as string,
  });
  expect(of('mcp mute')).toMatchObject({ verdict: 'fail' });
  expect(of('mcp far')).toMatchObject({ verdict: 'fail' });
});
