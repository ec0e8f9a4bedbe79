/** What goes to a push service, and where it never goes. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Alert } from '../../src/contract/alert.js';
import { isForbidden, isForbiddenName } from '../../src/push/public-address.js';
import { WebPush } from '../../src/push/web-push.js';
import { systemClock } from '../../src/clock/system.js';
import { PushService } from '../support/push-service.js';

const settings = { timeoutMs: 20_000, contact: 'mailto:someone@rouse.invalid', allowLoopback: true };
const push = new WebPush(systemClock, settings);
const keys = push.newKeys();
const alert: Alert = { seq: 7, title: 'Builds – große', body: 'It is built. 😀', tag: 'ses-7', url: '/#/sessions/ses' };
const never = new AbortController().signal;

let service: PushService;
beforeEach(async () => {
  service = await PushService.open();
});

const send = (name = 'phone', how = push) => how.send(keys, service.subscribe(name, keys.publicKey), alert, never);

describe('an alert on its way', () => {
  test('reaches the browser it was encrypted for, signed by us', async () => {
    expect(await send()).toEqual({ kind: 'accepted' });
    expect(service.faults).toEqual([]);
    const { seq: _, ...payload } = alert;
    expect(service.pushed).toMatchObject([{ to: 'phone', payload }]);
  });

  test('bears the same topic each time, so that a push service keeps one of two', async () => {
    await send('phone');
    await send('phone');
    const [first, second] = service.pushed;
    expect(first?.topic).toMatch(/^[\w-]{32}$/);
    expect(second?.topic).toBe(first?.topic);
  });

  test('is not believed under other keys', async () => {
    const fate = await push.send(push.newKeys(), service.subscribe('phone', keys.publicKey), alert, never);
    expect(fate).toEqual({ kind: 'refused', why: 'it answered 400' });
    expect(service.faults).toEqual(['Error: another key than the one that was subscribed with']);
  });

  test.each([
    [404, { kind: 'gone' }],
    [410, { kind: 'gone' }],
    [413, { kind: 'refused', why: 'it answered 413' }],
    [302, { kind: 'refused', why: 'it answered 302' }],
    [503, { kind: 'later', why: 'it answered 503' }],
    [429, { kind: 'later', why: 'it answered 429' }],
  ])('has the fate that %i says', async (status, fate) => {
    service.reply = () => status;
    expect(await send()).toEqual(fate);
  });

  test('is tried again when the service wishes', async () => {
    service.reply = () => ({ status: 429, headers: { 'retry-after': '7' } });
    expect(await send()).toEqual({ kind: 'later', why: 'it answered 429', afterMs: 7_000 });
  });

  test('is given up for now when the service does not answer, or is not there', async () => {
    service.reply = () => 'hang';
    const hasty = new WebPush(systemClock, { ...settings, timeoutMs: 300 });
    expect(await send('phone', hasty)).toEqual({ kind: 'later', why: 'no answer within 300 ms' });
    const nowhere = { ...service.subscribe('phone', keys.publicKey), endpoint: 'http://127.0.0.1:1/phone' };
    expect(await push.send(keys, nowhere, alert, never)).toMatchObject({ kind: 'later' });
  });
});

describe('where no alert goes', () => {
  const strict = { allowLoopback: false };

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    'fc00::1',
    'fd00::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    // An IPv4 address inside an IPv6 one: mapped, compatible, 6to4, NAT64, Teredo, ISATAP
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:127.0.0.1',
    '::127.0.0.1',
    '::7f00:1',
    '::10.0.0.1',
    '2002:7f00:1::',
    '2002:7f00:0001::1',
    '2002:a00:1::1',
    '2002:c0a8:101:1::1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b::1',
    '64:ff9b:1::7f00:1',
    '64:ff9b:1:abcd::808:808',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:0:4136:e378:8000:63bf:80ff:fffe',
    'fe80::5efe:127.0.0.1',
    // Addresses that are in no network
    '100::1',
    '2001:db8::1',
    '2001:10::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fdff:ffff::1',
  ])('to %s', (address) => {
    expect(isForbidden(address, strict)).toBe(true);
  });

  test.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '192.0.1.1',
    '223.255.255.255',
    '2607:f8b0::1',
    '2a00:1450:4001:81b::200e',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('but %s is outside', (address) => {
    expect(isForbidden(address, strict)).toBe(false);
  });

  test('to loopback only where the configuration says so, and to nothing else inside even then', () => {
    expect(isForbidden('127.0.0.1', { allowLoopback: true })).toBe(false);
    expect(isForbidden('::1', { allowLoopback: true })).toBe(false);
    expect(isForbidden('192.168.1.1', { allowLoopback: true })).toBe(true);
  });

  test('to a name that means this machine, however it is written', () => {
    const written = [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      'a.localhost.',
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '0',
      '①②⑦.0.0.1',
      '127。0。0。1',
      '[::1]',
      '[::]',
      '[::127.0.0.1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[2002:7f00:1::]',
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b:1::1]',
      '[0:0:0:0:0:0:0:1]',
      '10.0.0.1',
      '167772161',
      '[fd00::1]',
    ];
    for (const host of written) expect(isForbiddenName(new URL(`https://${host}/x`).hostname, strict), host).toBe(true);
    const endpoint = (host: string) => ({
      ...service.subscribe('phone', keys.publicKey),
      endpoint: `https://${host}/x`,
    });
    const outsideOnly = new WebPush(systemClock, { ...settings, allowLoopback: false });
    for (const host of written) expect(outsideOnly.check(endpoint(host)), host).toMatchObject({ refused: 'invalid' });
    expect(outsideOnly.check(endpoint('push.example.com'))).toBeUndefined();
    expect(isForbiddenName('push.example.com', strict)).toBe(false);
  });

  test.each(['https://[::127.0.0.1]/x', 'https://[64:ff9b::127.0.0.1]/x', 'https://2130706433/x'])(
    'to %s, although it was subscribed to when that was allowed',
    async (endpoint) => {
      const outsideOnly = new WebPush(systemClock, { ...settings, allowLoopback: false });
      const subscription = { ...service.subscribe('phone', keys.publicKey), endpoint };
      expect(await outsideOnly.send(keys, subscription, alert, never)).toMatchObject({
        kind: 'refused',
        why: expect.stringContaining('lies inside this network'),
      });
    },
  );

  test('to a name that turns out to lie inside when it is looked up', async () => {
    const outsideOnly = new WebPush(systemClock, { ...settings, allowLoopback: false });
    const subscription = { ...service.subscribe('phone', keys.publicKey), endpoint: 'https://localhost/phone' };
    expect(await outsideOnly.send(keys, subscription, alert, never)).toEqual({
      kind: 'refused',
      why: 'localhost lies inside this network',
    });
  });
});

describe('a subscription', () => {
  const strict = new WebPush(systemClock, { ...settings, allowLoopback: false });
  const good = () => ({ ...service.subscribe('phone', keys.publicKey), endpoint: 'https://push.example.com/x' });

  test('can be used when it is by https, outside, and with keys of the right kind', () => {
    expect(strict.check(good())).toBeUndefined();
  });

  test.each([
    ['http://push.example.com/x', 'A push service is reached by https.'],
    ['https://127.0.0.1/x', 'The endpoint is inside this network, but a push service must be on the public internet.'],
    ['https://user:password@push.example.com/x', 'The endpoint is no address.'],
    ['nonsense', 'The endpoint is no address.'],
  ])('cannot be used at %s', (endpoint, why) => {
    expect(strict.check({ ...good(), endpoint })).toEqual({ refused: 'invalid', why });
  });

  test('cannot be used with keys that nobody can encrypt for', () => {
    const { endpoint, keys: right } = good();
    const noPoint = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url');
    for (const wrong of [{ p256dh: noPoint }, { p256dh: 'AAAA' }, { auth: 'AAAA' }])
      expect(strict.check({ endpoint, keys: { ...right, ...wrong } })).toMatchObject({ refused: 'invalid' });
  });
});
