import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newHome, startHost, type TestHost } from '../support/host.js';
import { signedIn } from '../support/signed-in.js';
import { until } from '../support/until.js';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});

const MIB = 1_048_576;
const newSession = async (at = host) => (await at.client.createSession({ agent: 'none' })).session.id;
const bytes = (text: string) => new TextEncoder().encode(text);
const filesOf = (session: string, at = host) => {
  const folder = join(at.home, 'files', session);
  return existsSync(folder) ? readdirSync(folder) : [];
};
const arriving = (at = host) => {
  const folder = join(at.home, 'files/.arriving');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('a file for a session', () => {
  test('stands whole where the agent is told, for its owner alone', async () => {
    const session = await newSession();
    const content = Uint8Array.from({ length: 300_000 }, (_, at) => at % 256);
    const { file } = await host.client.putFile(session, 'data.bin', content);
    expect(file).toEqual({ name: 'data.bin', path: join(host.home, 'files', session, 'data.bin'), bytes: 300_000 });
    expect(readFileSync(file.path).equals(content)).toBe(true);
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    for (const folder of [join(host.home, 'files'), join(host.home, 'files', session)])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(arriving()).toEqual([]);
  });

  test('may be empty, and come from a browser', async () => {
    const session = await newSession();
    expect((await host.client.putFile(session, 'empty', new Uint8Array())).file.bytes).toBe(0);
    const browser = await signedIn(host);
    const response = await fetch(`${host.url}/api/sessions/${session}/files/a.txt`, {
      method: 'PUT',
      body: 'hello',
      headers: { 'content-type': 'application/octet-stream', ...browser.headers, origin: host.url },
    });
    expect([response.status, await response.json()]).toMatchObject([201, { file: { name: 'a.txt', bytes: 5 } }]);
  });

  test('takes no other’s place: many of one name at once are all kept', async () => {
    const session = await newSession();
    const put = await Promise.all(
      Array.from({ length: 10 }, (_, at) => host.client.putFile(session, 'a.txt', bytes(`content ${at}`))),
    );
    expect(filesOf(session).toSorted()).toEqual(put.map(({ file }) => file.name).toSorted());
    expect(put.map(({ file }) => readFileSync(file.path, 'utf8'))).toEqual(put.map((_, at) => `content ${at}`));
    expect(filesOf(session)).toContain('a-10.txt');
  });

  test.each(['../../token', '/etc/passwd', '..\\..\\token', '.hidden', 'a b;c.txt', '%2e%2e%2ftoken'])(
    'stands in its folder, whatever it is called: %s',
    async (name) => {
      const session = await newSession();
      const { file } = await host.client.putFile(session, name, bytes('x'));
      expect(filesOf(session)).toEqual([file.name]);
      expect(file.name).toMatch(/^[\w][\w.-]*$/);
      expect(readFileSync(join(host.home, 'token'), 'utf8').trim()).toBe(host.token);
    },
  );
});

describe('is refused and leaves nothing', () => {
  test('when it is larger than 32 MiB', async () => {
    const session = await newSession();
    await expect(host.client.putFile(session, 'large', new Uint8Array(32 * MIB + 1))).rejects.toMatchObject({
      word: 'too-large',
      problem: { status: 413 },
    });
    expect([filesOf(session), arriving()]).toEqual([[], []]);
    const { file } = await host.client.putFile(session, 'just so', new Uint8Array(32 * MIB));
    expect(file.bytes).toBe(32 * MIB);
  });

  test('when its length was not told beforehand and it is', async () => {
    const session = await newSession();
    const pieces = function* () {
      for (let at = 0; at < 33; at++) yield new Uint8Array(MIB);
    };
    const response = await fetch(`${host.url}/api/sessions/${session}/files/large`, {
      method: 'PUT',
      body: ReadableStream.from(pieces()),
      duplex: 'half',
      headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/octet-stream' },
    });
    expect(response.status).toBe(413);
    expect([filesOf(session), arriving()]).toEqual([[], []]);
  });

  test('when the line is cut before it is whole', async () => {
    const session = await newSession();
    const { hostname, port, host: name } = new URL(host.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `PUT /api/sessions/${session}/files/half HTTP/1.1\r\nhost: ${name}\r\nauthorization: Bearer ${host.token}\r\ncontent-type: application/octet-stream\r\ncontent-length: 1000\r\n\r\nhalf of it`,
    );
    await until('it arrives', () => arriving().length === 1);
    socket.destroy();
    await until('nothing of it is left', () => arriving().length === 0);
    expect(filesOf(session)).toEqual([]);
    expect(host.log()).not.toContain('"fault"');
  });

  test('when there is no room on the disk', async () => {
    const home = newHome();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=700', 'none', home]);
    try {
      const other = await startHost({ home });
      const session = await newSession(other);
      await expect(other.client.putFile(session, 'large', new Uint8Array(16 * MIB))).rejects.toMatchObject({
        word: 'no-room',
        message: expect.stringContaining('no room on the disk') as string,
      });
      expect([filesOf(session, other), arriving(other)]).toEqual([[], []]);
      expect((await other.client.putFile(session, 'small', bytes('x'))).file.bytes).toBe(1);
      await other.stop();
    } finally {
      execFileSync('umount', ['-l', home]);
    }
  });

  test('for a session that is closed or is not there', async () => {
    const session = await newSession();
    await host.client.changeSession(session, { closed: true });
    await expect(host.client.putFile(session, 'a', bytes('x'))).rejects.toMatchObject({ word: 'session-closed' });
    await expect(host.client.putFile('ses_nobody', 'a', bytes('x'))).rejects.toMatchObject({ word: 'not-found' });
    expect(filesOf(session)).toEqual([]);
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data'])('when it comes as %s', async (type) => {
    const session = await newSession();
    const response = await fetch(`${host.url}/api/sessions/${session}/files/a`, {
      method: 'PUT',
      body: '{}',
      headers: { authorization: `Bearer ${host.token}`, 'content-type': type },
    });
    expect(response.status).toBe(415);
  });
});

test('what a host that died had not wholly received is gone at the next start, and the rest is there', async () => {
  const before = await startHost();
  const session = await newSession(before);
  const { file } = await before.client.putFile(session, 'a.txt', bytes('whole'));
  await before.kill();
  mkdirSync(join(before.home, 'files/.arriving'), { recursive: true });
  writeFileSync(join(before.home, 'files/.arriving/half'), 'ha');
  await before.again();
  expect(arriving(before)).toEqual([]);
  expect(readFileSync(file.path, 'utf8')).toBe('whole');
});

test('no other route takes bytes', async () => {
  for (const [method, path] of [
    ['PUT', '/api/sessions'],
    ['POST', '/api/processes'],
    ['POST', '/api/sessions/ses_1/files/a'],
  ] as const) {
    const headers = { authorization: `Bearer ${host.token}`, 'content-type': 'application/octet-stream' };
    expect((await fetch(`${host.url}${path}`, { method, body: '{}', headers })).status).toBe(415);
  }
});
