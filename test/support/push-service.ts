/**
 * A push service and its browsers, on loopback. It takes what RFC 8030 says, believes nobody (RFC 8292), and its browsers
 * read what was meant for them (RFC 8291): a wrong byte anywhere is a 400 and stands in `faults`.
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
  type JsonWebKey,
} from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Subscription } from '../../src/ports/push.js';
import { listen } from './loopback.js';
import { until } from './until.js';

export type Pushed = {
  readonly to: string;
  readonly payload: { readonly title: string; readonly body: string; readonly tag: string; readonly url: string };
  readonly topic: string;
  readonly bytes: number;
};

/** What to do with a request: a status, with headers perhaps, or no answer at all. */
export type Reply = number | 'hang' | { readonly status: number; readonly headers: Record<string, string> };

type Browser = { readonly ecdh: ECDH; readonly auth: Buffer; readonly applicationServerKey: string };

export class PushService {
  readonly pushed: Pushed[] = [];
  readonly faults: string[] = [];
  readonly #browsers = new Map<string, Browser>();
  reply: (pushed: Pushed, before: number) => Reply = () => 201;

  private constructor(readonly origin: string) {}

  static async open(): Promise<PushService> {
    const server = createServer();
    const service = new PushService(await listen(server));
    server.on('request', (request, response) => void service.#take(request, response));
    return service;
  }

  /** What a browser does when a page asks for it: only whoever holds this key may write to it from then on. */
  subscribe(name: string, applicationServerKey: string): Subscription {
    const ecdh = createECDH('prime256v1');
    const p256dh = ecdh.generateKeys('base64url');
    const auth = randomBytes(16);
    this.#browsers.set(`/${name}`, { ecdh, auth, applicationServerKey });
    return { endpoint: `${this.origin}/${name}`, keys: { p256dh, auth: auth.toString('base64url') } };
  }

  bodies(name?: string): readonly string[] {
    return this.pushed.filter(({ to }) => name === undefined || to === name).map(({ payload }) => payload.body);
  }

  /** Over when so many have come, refused ones included. Fails when one could not be read. */
  async count(expected: number, name?: string): Promise<readonly string[]> {
    await until(`${expected} pushes came`, () => {
      if (this.faults.length > 0) throw new Error(this.faults.join('\n'));
      return this.bodies(name).length >= expected;
    });
    return this.bodies(name);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      const pushed = this.#read(request, Buffer.concat(chunks));
      const before = this.pushed.filter(({ to, topic }) => to === pushed.to && topic === pushed.topic).length;
      this.pushed.push(pushed);
      const reply = this.reply(pushed, before);
      if (reply === 'hang') return;
      const { status, headers } = typeof reply === 'number' ? { status: reply, headers: {} } : reply;
      response.writeHead(status, headers).end();
    } catch (error) {
      this.faults.push(String(error));
      response.writeHead(400).end();
    }
  }

  #read({ method, url = '', headers }: IncomingMessage, body: Buffer): Pushed {
    const browser = this.#browsers.get(url);
    if (method !== 'POST' || !browser) throw new Error(`${method} ${url}: nobody here`);
    if (!(Number(headers['ttl']) > 0)) throw new Error(`TTL: ${String(headers['ttl'])}`);
    if (headers['content-encoding'] !== 'aes128gcm') throw new Error(`encoding: ${headers['content-encoding']}`);
    if (body.length > 4_096) throw new Error(`${body.length} bytes are more than a push service takes`);
    verifyVapid(headers.authorization ?? '', this.origin, browser.applicationServerKey);
    const payload = JSON.parse(decrypted(body, browser)) as Pushed['payload'];
    return { to: url.slice(1), payload, topic: String(headers['topic']), bytes: body.length };
  }
}

function verifyVapid(authorization: string, origin: string, expectedKey: string): void {
  const { t = '', k = '' } = /^vapid t=(?<t>[\w.-]+), ?k=(?<k>[\w-]+)$/.exec(authorization)?.groups ?? {};
  if (k !== expectedKey) throw new Error('another key than the one that was subscribed with');
  const [head = '', claims = '', signature = ''] = t.split('.');
  const key = createPublicKey({ format: 'jwk', key: jwkOf(Buffer.from(k, 'base64url')) });
  const signed = Buffer.from(`${head}.${claims}`);
  if (jsonIn(head)['alg'] !== 'ES256') throw new Error('not signed by ES256');
  if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    throw new Error('the signature is wrong');
  const { aud, exp, sub } = jsonIn(claims);
  const leftSeconds = Number(exp) - Date.now() / 1_000;
  if (aud !== origin) throw new Error(`signed for ${String(aud)}`);
  if (!(leftSeconds > 0 && leftSeconds <= 86_400)) throw new Error(`good for ${leftSeconds} s`);
  if (!/^(?:mailto:|https:)/.test(String(sub))) throw new Error(`from ${String(sub)}`);
}

const jsonIn = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

const jwkOf = (point: Buffer): JsonWebKey => ({
  kty: 'EC',
  crv: 'P-256',
  x: point.subarray(1, 33).toString('base64url'),
  y: point.subarray(33, 65).toString('base64url'),
});

/** RFC 8291 over RFC 8188: salt (16), record size (4), the sender's key with its length (1 + 65), one sealed record. */
function decrypted(body: Buffer, { ecdh, auth }: Browser): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + sender.length);
  const derive = (from: Buffer, with_: Buffer, info: string | Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', from, with_, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const secret = derive(ecdh.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const open = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([open.update(record.subarray(0, -16)), open.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('not one whole record');
  return padded.subarray(0, end).toString();
}
