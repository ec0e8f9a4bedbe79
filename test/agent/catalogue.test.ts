import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Catalogue } from '../../src/agent/catalogue.js';
import { modelSettings } from '../../src/agent/settings.js';
import { newFolder } from '../support/clean-up.js';
import { ProviderServer, type Reply } from '../support/provider.js';
import { until } from '../support/until.js';
import { FakeClock } from './fake-clock.js';

let folder: string;
let path: string;
let server: ProviderServer;
let clock: FakeClock;
beforeEach(async () => {
  folder = newFolder();
  path = join(folder, 'models.json');
  clock = new FakeClock();
  server = await ProviderServer.start();
});
const hanging: Reply = { stop: { after: '', by: 'silence' } };
const listOf = (...models: readonly object[]): Reply => ({ body: JSON.stringify({ data: models }) });
const local = (more: Record<string, string> = {}) => ({ OPENAI_BASE_URL: `${server.url}/v1`, ...more });

const failures: string[] = [];
const catalogueOf = (...settings: Parameters<typeof modelSettings>): Catalogue =>
  new Catalogue({
    settings: modelSettings(...settings),
    path,
    clock,
    failed: (provider, why) => failures.push(`${provider}: ${why}`),
  });
const idsOf = (catalogue: Catalogue) => catalogue.list().models.map(({ id }) => id);

/** Ours as it is after a refresh that found this model. */
async function refreshed(model: string, ...settings: Parameters<typeof modelSettings>): Promise<Catalogue> {
  const catalogue = catalogueOf(...settings);
  server.willAnswer(listOf({ id: model }));
  await catalogue.refresh();
  return catalogue;
}

/** What another host would answer at its first breath, before any provider has said a word. */
async function listedAnew(...settings: Parameters<typeof modelSettings>): Promise<readonly string[]> {
  const catalogue = catalogueOf(...settings);
  const ids = idsOf(catalogue);
  // Nobody scripted an answer: it fails, and is over before the next one begins.
  await catalogue.refresh();
  return ids;
}

describe('the list', () => {
  test('M1 it is the built-in one, at once, when nothing is cached and nobody answers', () => {
    const catalogue = catalogueOf({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' });
    expect(catalogue.list()).toMatchObject({ source: 'built-in' });
    expect(idsOf(catalogue)).toContain('anthropic/claude-sonnet-4-5');
    expect(idsOf(catalogue).at(-1)).toBe('rehearsal');
    catalogue.close();
  });

  test('M1 it is the rehearsal model alone when nothing is configured, and nobody is asked', () => {
    expect(idsOf(catalogueOf({}))).toEqual(['rehearsal']);
    expect(server.requests).toEqual([]);
  });

  test('M1 it holds the model that a person named at an address of which nothing is known', () => {
    const catalogue = catalogueOf(local({ ROUSE_MODEL: 'openai/llama3' }));
    server.willAnswer(hanging);
    expect(idsOf(catalogue)).toEqual(['openai/llama3', 'rehearsal']);
    catalogue.close();
  });

  test('it is what the provider says, once that has come in the background', async () => {
    const catalogue = catalogueOf(local({ OPENAI_API_KEY: 'sk-secret' }));
    server.willAnswer(
      listOf({ id: 'llama3', context_length: 8_192 }, { id: 'qwen', name: 'Qwen', max_model_len: 4_096 }, { no: 'id' }),
    );
    expect(catalogue.list().source).toBe('built-in');
    await until('the list has come', () => catalogue.list().source === 'cached');
    expect(catalogue.list()).toEqual({
      source: 'cached',
      refreshedAt: 0,
      models: [
        { id: 'openai/llama3', provider: 'openai', name: 'llama3', contextWindow: 8_192 },
        { id: 'openai/qwen', provider: 'openai', name: 'Qwen', contextWindow: 4_096 },
        expect.objectContaining({ id: 'rehearsal' }),
      ],
    });
    expect(catalogue.windowOf('openai/qwen')).toBe(4_096);
    expect(server.requests).toMatchObject([{ path: '/v1/models', headers: { authorization: 'Bearer sk-secret' } }]);
  });

  test('its key does not follow a redirect', async () => {
    const other = await ProviderServer.start();
    other.willAnswer(listOf({ id: 'stolen' }));
    server.willAnswer({ status: 307, headers: { location: `${other.url}/v1/models` } });
    const catalogue = catalogueOf(local({ OPENAI_API_KEY: 'key-of-the-test' }));
    await catalogue.refresh();
    expect(server.requests[0]?.headers.authorization).toBe('Bearer key-of-the-test');
    expect(failures.at(-1)).toContain('redirects are not followed');
    expect(other.requests).toEqual([]);
    expect(idsOf(catalogue)).not.toContain('openai/stolen');
  });

  test('it asks Anthropic in its own way', async () => {
    const catalogue = catalogueOf({ ANTHROPIC_API_KEY: 'sk-ant-secret', ANTHROPIC_BASE_URL: server.url });
    server.willAnswer(listOf({ id: 'claude-next', display_name: 'Claude Next' }));
    await catalogue.refresh();
    expect(catalogue.list().models[0]).toEqual({
      id: 'anthropic/claude-next',
      provider: 'anthropic',
      name: 'Claude Next',
    });
    expect(server.requests).toMatchObject([
      { path: '/v1/models?limit=1000', headers: { 'x-api-key': 'sk-ant-secret' } },
    ]);
  });

  test('it is there at once after a restart, in a file that is its owner’s alone and holds no key', async () => {
    await refreshed('llama3', local({ OPENAI_API_KEY: 'sk-secret-of-mine' }));
    expect(await listedAnew(local({ OPENAI_API_KEY: 'sk-secret-of-mine' }))).toContain('openai/llama3');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).not.toContain('sk-secret-of-mine');
  });

  test('it does without a file that cannot be understood, and without a place to write one', async () => {
    for (const text of ['', '{"x":1}', 'null']) {
      writeFileSync(path, text);
      expect(await listedAnew(local({ ROUSE_MODEL: 'openai/m' }))).toEqual(['openai/m', 'rehearsal']);
    }
    path = join(folder, 'nowhere', 'models.json');
    expect(idsOf(await refreshed('llama3', local()))).toContain('openai/llama3');
  });
});

describe('a refresh', () => {
  test('M2 it is over when the budget is, whoever hangs, and leaves the others their lists', async () => {
    const other = await ProviderServer.start();
    other.willAnswer(listOf({ id: 'quick' }));
    server.willAnswer(hanging);
    const catalogue = catalogueOf(local(), { mine: { baseUrl: other.url } });
    const refresh = catalogue.refresh();
    await until('the quick one has answered', () => idsOf(catalogue).includes('mine/quick'));
    await until('the other was asked', () => server.requests.length === 1);
    expect(await clock.nextAlarm()).toBe(4_000);
    clock.advance(4_000);
    await refresh;
    expect(failures.at(-1)).toBe('openai: it has not answered within 4 s');
    await until('we have hung up', () => server.hungUp === 1);
  });

  test('M2 it happens one at a time, however many ask', async () => {
    server.willAnswer(hanging);
    const catalogue = catalogueOf(local());
    const refreshes = [catalogue.refresh(), catalogue.refresh()];
    for (let times = 0; times < 10; times++) catalogue.list();
    // Each would set one for its budget.
    expect(clock.alarms).toBe(1);
    await until('the provider was asked', () => server.requests.length > 0);
    clock.advance(4_000);
    await Promise.all(refreshes);
    expect(server.requests).toHaveLength(1);
  });

  test('M2 it lets a provider rest that failed, and asks again later', async () => {
    const catalogue = catalogueOf(local());
    server.willAnswer({ status: 500, body: '{}' });
    await catalogue.refresh();
    expect(failures.at(-1)).toBe('openai: it answered with status 500');
    clock.advance(59_000);
    catalogue.list();
    expect(clock.alarms).toBe(0);
    clock.advance(1_000);
    server.willAnswer(listOf({ id: 'llama3' }));
    catalogue.list();
    await until('it was asked again', () => idsOf(catalogue).includes('openai/llama3'));
    expect(server.requests).toHaveLength(2);
  });

  test('it happens again when the list is an hour old, and keeps the old one until then', async () => {
    const catalogue = await refreshed('old', local());
    clock.advance(3_599_000);
    catalogue.list();
    expect(clock.alarms).toBe(0);
    clock.advance(1_000);
    server.willAnswer(listOf({ id: 'new' }));
    expect(idsOf(catalogue)).toContain('openai/old');
    await until('the new one has come', () => idsOf(catalogue).includes('openai/new'));
  });

  test.each([
    ['<html>', 'its answer is not a list of models'],
    ['{"data":7}', 'its answer is not a list of models'],
    [`{"data":["${'x'.repeat(9_000_000)}"]}`, 'its list is larger than 8 MiB'],
  ])('it survives rubbish such as %.12s', async (body, why) => {
    const catalogue = await refreshed('old', local());
    server.willAnswer({ body });
    await catalogue.refresh();
    expect(failures.at(-1)).toBe(`openai: ${why}`);
    expect(idsOf(catalogue)).toContain('openai/old');
  });
});

const tokenFor = (claims: object, signature: string) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;

describe('M3', () => {
  const mine = (env: string, baseUrl = `${server.url}/v1`) => ({ mine: { baseUrl, apiKeyEnv: env } });

  test('it keeps the list when the key is exchanged for another of its kind', async () => {
    await refreshed('m', { A: 'sk-proj-one' }, mine('A'));
    expect(await listedAnew({ A: 'sk-proj-two' }, mine('A'))).toContain('mine/m');
  });

  test('it keeps the list when a token is issued anew for the same account, and for no other', async () => {
    await refreshed('m', { A: tokenFor({ sub: 'ann', exp: 1 }, 'abc') }, mine('A'));
    expect(await listedAnew({ A: tokenFor({ sub: 'ann', exp: 2 }, 'xyz') }, mine('A'))).toContain('mine/m');
    expect(await listedAnew({ A: tokenFor({ sub: 'bob', exp: 1 }, 'abc') }, mine('A'))).not.toContain('mine/m');
  });

  test('it shows the list to no other credential, address or provider', async () => {
    await refreshed('m', { A: 'sk-proj-one', B: 'sk-proj-one' }, mine('A'));
    const others: Parameters<typeof modelSettings>[] = [
      [{ A: 'sk-proj-one', B: 'sk-proj-one' }, mine('B')],
      [{ A: 'sk-svcacct-one' }, mine('A')],
      [{}, mine('A')],
      [{ A: 'sk-proj-one' }, mine('A', `${server.url}/v2`)],
      [{ A: 'sk-proj-one' }, { theirs: mine('A').mine }],
    ];
    for (const other of others) expect((await listedAnew(...other)).filter((id) => id.endsWith('/m'))).toEqual([]);
  });

  test('it voids what another credential had left', async () => {
    await refreshed('m', { A: 'sk-proj-one' }, mine('A'));
    await refreshed('n', { B: 'sk-proj-one' }, mine('B'));
    expect(await listedAnew({ A: 'sk-proj-one' }, mine('A'))).toEqual(['rehearsal']);
    expect(readFileSync(path, 'utf8')).not.toContain('mine/m');
  });
});
