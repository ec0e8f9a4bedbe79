import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../support/clean-up.js';
import { startHost, type TestHost } from '../support/host.js';
import { raw } from '../support/raw.js';

const script = 'export const answer = 42;\n'.repeat(1_000);
let folder: string;
let host: TestHost;

beforeAll(async () => {
  folder = newFolder();
  const page = join(folder, 'page');
  mkdirSync(join(page, 'assets'), { recursive: true });
  const files = {
    'index.html': '<!doctype html><title>Rouse</title>',
    'sw.js': 'self.skipWaiting();',
    'manifest.webmanifest': '{}',
    'icon.svg': '<svg/>',
    'icon-192.png': 'PNG',
    'assets/app-4f2a.js': script,
    'assets/app-4f2a.css': 'body {}',
    'notes.txt': 'of a kind that no page has',
    '../secret.js': 'outside',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(page, name), text);
  symlinkSync(join(folder, 'secret.js'), join(page, 'link.js'));
  host = await startHost({ env: { PAGE: page } });
});
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${host.url}${path}`, { headers });

describe('the page', () => {
  test.each([
    ['/', 'text/html; charset=utf-8', 'no-cache'],
    ['/sw.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
    ['/icon.svg', 'image/svg+xml', 'no-cache'],
    ['/icon-192.png', 'image/png', 'no-cache'],
    ['/assets/app-4f2a.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/assets/app-4f2a.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
  ])('is served to anybody who knows our name: %s', async (path, type, caching) => {
    const response = await get(path);
    const told = ['content-type', 'cache-control'].map((name) => response.headers.get(name));
    expect([response.status, ...told]).toEqual([200, type, caching]);
    expect((await response.text()).length).toBeGreaterThan(0);
  });

  test('runs no script but its own and shows itself in no other page', async () => {
    const { headers } = await get('/');
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=()');
  });

  test('comes packed to who can unpack it, and is the same then', async () => {
    const packed = await get('/assets/app-4f2a.js', { 'accept-encoding': 'br, gzip' });
    expect([packed.headers.get('content-encoding'), await packed.text()]).toEqual(['gzip', script]);
    const plain = await get('/assets/app-4f2a.js', { 'accept-encoding': 'identity' });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, script]);
    expect(plain.headers.get('vary')).toBe('accept-encoding');
  });

  test('is not sent again to who has it', async () => {
    const tag = (await get('/')).headers.get('etag') ?? '';
    const again = await get('/', { 'if-none-match': `"other", ${tag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('answers a HEAD with the same head', async () => {
    const response = await fetch(host.url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  });

  test('opens from a link on another site', async () => {
    expect((await get('/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' })).status).toBe(200);
  });

  test('is not served under another name', async () => {
    const asked = 'GET / HTTP/1.1\r\nhost: rebind.example:7673\r\nconnection: close\r\n\r\n';
    expect(await raw(host, asked)).toMatchObject({ status: 421 });
  });
});

describe('nothing else is served', () => {
  test.each([
    '/index.html',
    '/notes.txt',
    '/link.js',
    '/secret.js',
    '/../secret.js',
    '/assets/../../secret.js',
    '/assets/%2e%2e/%2e%2e/secret.js',
    '/assets/..%2f..%2fsecret.js',
    '/assets/..%5c..%5csecret.js',
    '/assets/app-4f2a.js%00.css',
    '/assets',
    '/assets/',
    '/sessions/ses_1',
    '/__proto__',
  ])('%s', async (path) => {
    const name = new URL(host.url).host;
    const asked = (headers: string) =>
      raw(host, `GET ${path} HTTP/1.1\r\nhost: ${name}\r\n${headers}connection: close\r\n\r\n`);
    expect((await asked('')).status).toBe(401);
    const known = await asked(`authorization: Bearer ${host.token}\r\n`);
    expect([known.status, known.body.includes('outside')]).toEqual([404, false]);
  });
});

test('says so when the page was not built', async () => {
  const other = await startHost({ env: { PAGE: join(folder, 'nowhere') } });
  const response = await fetch(other.url);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ detail: 'The page is not built: npm run build' });
});
