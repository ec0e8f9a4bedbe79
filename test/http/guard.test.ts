import { beforeAll, describe, expect, test } from 'vitest';
import { startHost, type TestHost } from '../support/host.js';
import { raw as rawRequest } from '../support/raw.js';
import { routesOf, type Route } from '../support/routes.js';
import { signedIn, type SignedIn } from '../support/signed-in.js';
import { until } from '../support/until.js';

let host: TestHost;
let running: string;
let browser: SignedIn;
let revoked: SignedIn;

beforeAll(async () => {
  host = await startHost();
  [browser, revoked] = [await signedIn(host), await signedIn(host)];
  await revoked.ask('/api/sign-out', {});
  running = (await host.client.start({ command: 'sleep 300' })).process.id;
});

const routes = () => routesOf(host, running);

const raw = (request: string) => rawRequest(host, request);

const ask = ({ method, path }: Route, headers: Record<string, string>) => {
  const lines = Object.entries({
    host: new URL(host.url).host,
    authorization: `Bearer ${host.token}`,
    ...headers,
  }).filter(([, value]) => value !== '');
  const body = method === 'GET' ? '' : '{}';
  return raw(
    [
      `${method} ${path} HTTP/1.1`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n'),
  );
};

/** By what they bring; where there is one, only at some of the routes. */
const intruders: [string, () => Record<string, string>, number, ((route: Route) => boolean)?][] = [
  ['no token', () => ({ authorization: '' }), 401, isClosed],
  ['a wrong token', () => ({ authorization: 'Bearer rouse_wrong' }), 401, isClosed],
  ['a token of another kind', () => ({ authorization: 'Basic cm91c2U6eA==' }), 401, isClosed],
  ['a wrong token beside a good cookie', () => ({ ...ours(), authorization: 'Bearer rouse_wrong' }), 401, isClosed],
  ['a Host of another name', () => ({ host: 'evil.example' }), 421],
  ['a Host that only resolves here', () => ({ host: 'rebind.example:7673' }), 421],
  ['a foreign Origin', () => ({ origin: 'https://evil.example' }), 403],
  ['the Origin null', () => ({ origin: 'null' }), 403],
  ['a request that the browser calls cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), 403],
  ['a good cookie and a foreign Origin', () => ({ ...ours(), origin: 'http://127.0.0.1:1' }), 403],
  ['a good cookie and the Origin null', () => ({ ...ours(), origin: 'null' }), 403],
  [
    'a good cookie from another port of this machine',
    () => ({ ...ours(), 'sec-fetch-site': 'same-site' }),
    403,
    isClosed,
  ],
  ['a good cookie and no Origin, to change something', () => ({ ...ours(), origin: '' }), 403, changes],
  [
    'a cookie of another port',
    () => ({ ...ours(), cookie: browser.cookie.replace(/^rouse-\d+/, 'rouse-1') }),
    401,
    isClosed,
  ],
  ['a cookie that was made up', () => ({ ...ours(), cookie: `${browser.cookie}x` }), 401, isClosed],
  ['a good cookie without its key', () => ({ ...ours(), 'rouse-key': '' }), 401, isClosed],
  ['a good cookie with a key of another browser', () => ({ ...ours(), 'rouse-key': revoked.key }), 401, isClosed],
  ['a good key without its cookie', () => ({ ...ours(), cookie: '' }), 401, isClosed],
  [
    'what a browser had before it was signed out',
    () => ({ ...ours(), cookie: revoked.cookie, 'rouse-key': revoked.key }),
    401,
    isClosed,
  ],
];

const ours = () => ({ authorization: '', cookie: browser.cookie, 'rouse-key': browser.key, origin: host.url });

function isClosed({ open = false }: Route): boolean {
  return !open;
}

function changes(route: Route): boolean {
  return isClosed(route) && route.method !== 'GET';
}

describe('who may come in', () => {
  test.each(intruders)('nobody with %s', async (_, headers, status, where = () => true) => {
    for (const route of (await routes()).filter(where)) {
      const answer = await ask(route, { 'content-type': 'application/json', ...headers() });
      expect(answer.status, `${route.method} ${route.path}`).toBe(status);
      expect(answer.body).toContain('/problems/');
    }
    expect((await host.client.process(running)).process.state).toBe('running');
  });

  test('whoever is signed in, from our own page, as far as whoever has the token', async () => {
    for (const path of ['/healthz', '/metrics', '/api/sessions', '/api/openapi.json'])
      expect((await ask({ method: 'GET', path }, ours())).status, path).toBe(200);
    const asked = { 'content-type': 'application/json', ...ours() };
    expect((await ask({ method: 'POST', path: '/api/sessions' }, asked)).status).toBe(201);
  });

  test('without a token and a browser only to sign in, with a code, and to ask for the status', async () => {
    const open = (await routes()).filter((route) => !isClosed(route));
    expect(open).toEqual([
      { method: 'POST', path: '/api/sign-in', open: true },
      { method: 'GET', path: '/healthz', open: true },
    ]);
  });

  test.each(['127.0.0.1', '10.1.2.3:7673', 'rouse.internal'])(
    'a probe that calls the host "%s", for its status and nothing else',
    async (name) => {
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask({ method, path: '/healthz' }, { authorization: '', host: name });
        expect(answer.status).toBe(200);
        expect(answer.body).toBe(method === 'HEAD' ? '' : '{"status":"ok"}');
      }
      expect((await ask({ method: 'GET', path: '/' }, { authorization: '', host: name })).status).toBe(421);
    },
  );

  test('no page of another site to ask for the status, and nobody with a wrong token', async () => {
    const status = async (headers: Record<string, string>) =>
      (await ask({ method: 'GET', path: '/healthz' }, { authorization: '', ...headers })).status;
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await status({ authorization: 'Bearer rouse_wrong' })).toBe(401);
    expect(await status({ authorization: `Bearer ${host.token}`, host: 'evil.example' })).toBe(421);
  });

  test('no missing or doubled Host, and no absolute request line', async () => {
    const own = new URL(host.url).host;
    const rest = `authorization: Bearer ${host.token}\r\nconnection: close\r\n\r\n`;
    expect(
      (await raw(`GET /healthz HTTP/1.1\r\nhost: ${own}\r\nhost: evil.example\r\n${rest}`)).status,
    ).toBeGreaterThanOrEqual(400);
    expect(
      (await raw(`GET http://evil.example/healthz HTTP/1.1\r\nhost: ${own}\r\n${rest}`)).status,
    ).toBeGreaterThanOrEqual(400);
    expect((await raw(`GET /healthz HTTP/1.1\r\n${rest}`)).status).toBe(400);
    expect((await raw(`GET /healthz HTTP/1.1\r\nhost: ${own}\r\n${rest}`)).status).toBe(200);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'no body as "%s"',
    async (type) => {
      for (const route of (await routes()).filter(({ method }) => ['POST', 'PATCH', 'PUT'].includes(method))) {
        const answer = await ask(route, type ? { 'content-type': type } : {});
        expect(answer.status, `${route.method} ${route.path}`).toBe(415);
      }
    },
  );

  test('whoever has the token, with an Origin of our own', async () => {
    const answer = await ask({ method: 'GET', path: '/healthz' }, { origin: host.url });
    expect(answer.status).toBe(200);
  });
});

describe('bad requests', () => {
  const post = (path: string, body: string) =>
    fetch(`${host.url}${path}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' },
    });

  test('get a problem document that says what is wrong', async () => {
    const response = await post('/api/processes', '{"command": ');
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      type: '/problems/invalid',
      title: 'invalid',
      status: 400,
      detail: 'The body is not JSON.',
    });
  });

  test('are refused when they are larger than 4 MiB', async () => {
    expect((await post('/api/processes', JSON.stringify({ command: 'x'.repeat(5_000_000) }))).status).toBe(413);
  });

  test('are refused in a sentence also when their length was not told beforehand', async () => {
    const own = new URL(host.url).host;
    const head = `POST /api/processes HTTP/1.1\r\nhost: ${own}\r\nauthorization: Bearer ${host.token}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n`;
    const chunk = `100000\r\n${' '.repeat(0x10_0000)}\r\n`;
    expect((await raw(`${head}${chunk.repeat(5)}0\r\n\r\n`)).status).toBe(413);
  });

  test('get 404 for what is not there', async () => {
    await expect(host.client.process('proc_zzzz')).rejects.toThrow('There is no process "proc_zzzz"');
    expect((await fetch(`${host.url}/nothing`, { headers: { authorization: `Bearer ${host.token}` } })).status).toBe(
      404,
    );
  });

  test('P19 get the candidates for an ambiguous id', async () => {
    for (let index = 0; index < 40; index++) await host.client.start({ command: 'true' });
    const ids = (await host.client.list()).map(({ id }) => id);
    const letters = ids.map((id) => id['proc_'.length]);
    const shared = letters.find((letter, index) => letters.indexOf(letter) !== index) ?? '';
    await expect(host.client.process(shared)).rejects.toMatchObject({
      word: 'ambiguous',
      problem: { status: 409, candidates: expect.arrayContaining([expect.stringMatching(/^proc_/)]) },
    });
    expect((await host.client.process(running.slice(5, 15))).process.id).toBe(running);
  });
});

describe('what the host tells about itself', () => {
  test('figures for Prometheus', async () => {
    const text = await (
      await fetch(`${host.url}/metrics`, { headers: { authorization: `Bearer ${host.token}` } })
    ).text();
    expect(text).toMatch(/^rouse_processes_unfinished [1-9]/m);
    expect(text).toMatch(/^rouse_processes_started_total [1-9]/m);
    expect(text).toContain('rouse_end_seconds_bucket');
  });

  test('an OpenAPI description with every route of the contract', async () => {
    const described = (await routes()).map(({ method, path }) => `${method} ${path.replace(running, ':id')}`);
    for (const route of [
      'POST /api/processes',
      'GET /api/processes',
      'GET /api/processes/:id',
      'GET /api/processes/:id/output',
      'GET /api/processes/:id/output/stream',
      'POST /api/processes/:id/wait',
      'POST /api/processes/:id/kill',
      'POST /api/processes/:id/input',
      'POST /api/processes/:id/close-input',
      'POST /api/processes/:id/resize',
      'POST /api/processes/:id/poll',
      'POST /api/processes/:id/log',
      'POST /api/sessions',
      'GET /api/sessions',
      'GET /api/sessions/:id',
      'PATCH /api/sessions/:id',
      'POST /api/sessions/:id/notices',
      'GET /api/notices',
      'GET /api/notices/:id',
      'POST /api/notices/:id/retry',
      'POST /api/notices/:id/dismiss',
      'GET /api/why/:id',
      'GET /api/events',
      'GET /api/processes/usage',
      'GET /api/processes/:id/output/search',
      'POST /api/sessions/:id/seen',
      'PATCH /api/sessions/:id/messages/{message}',
      'POST /api/sessions/:id/messages/{message}/withdraw',
      'GET /healthz',
    ])
      expect(described).toContain(route);
  });

  test('P20 a log without the token and without secrets, the refused path too', async () => {
    await host.client.start({ command: 'true', cwd: '/no/password=hunter2hunter2' }).catch(() => undefined);
    await until('it is logged', () => host.log().includes('startRefused'));
    expect(host.log()).not.toContain(host.token);
    expect(host.log()).not.toContain('hunter2hunter2');
  });
});
