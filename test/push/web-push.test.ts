/** What goes to a push service, and where it never goes. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Word } from '../../src/contract/word.js';
import { isForbidden, isForbiddenName } from '../../src/push/inside.js';
import { WebPush } from '../../src/push/web-push.js';
import { systemClock } from '../../src/clock/system.js';
import { PushService } from '../support/push-service.js';

const settings = { timeoutMs: 20_000, contact: 'mailto:someone@rouse.invalid', allowLoopback: true };
const push = new WebPush(systemClock, settings);
const keys = push.newKeys();
const word: Word = { seq: 7, title: 'Builds – große', body: 'It is built. 😀', tag: 'ses-7', url: '/#/sessions/ses' };
const never = new AbortController().signal;

let service: PushService;
beforeEach(async () => {
  service = await PushService.open();
});
afterEach(() => service.close());

const send = (name = 'phone', how = push) => how.send(keys, service.subscribe(name, keys.publicKey), word, never);

describe('a word on its way', () => {
  test('reaches the browser it was encrypted for, signed by us', async () => {
    expect(await send()).toEqual({ kind: 'accepted' });
    expect(service.faults).toEqual([]);
    const { seq: _, ...payload } = word;
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
    const fate = await push.send(push.newKeys(), service.subscribe('phone', keys.publicKey), word, never);
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
    expect(await push.send(keys, nowhere, word, never)).toMatchObject({ kind: 'later' });
  });
});

describe('where no word goes', () => {
  const strict = { allowLoopback: false };

  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fd00::1',
    'fe80::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
  ])('%s', (address) => {
    expect(isForbidden(address, strict)).toBe(true);
  });

  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2607:f8b0::1'])('but %s is outside', (address) => {
    expect(isForbidden(address, strict)).toBe(false);
  });

  test('to loopback only where the configuration says so, and to nothing else inside even then', () => {
    expect(isForbidden('127.0.0.1', { allowLoopback: true })).toBe(false);
    expect(isForbidden('::1', { allowLoopback: true })).toBe(false);
    expect(isForbidden('192.168.1.1', { allowLoopback: true })).toBe(true);
  });

  test('to a name that means this machine, however it is written', () => {
    for (const url of ['https://localhost/x', 'https://a.localhost/x', 'https://0x7f.1/x', 'https://[::1]/x'])
      expect(isForbiddenName(new URL(url).hostname, strict), url).toBe(true);
    expect(isForbiddenName('push.example.com', strict)).toBe(false);
  });

  test('to a name that turns out to lie inside when it is looked up', async () => {
    const outsideOnly = new WebPush(systemClock, { ...settings, allowLoopback: false });
    const subscription = { ...service.subscribe('phone', keys.publicKey), endpoint: 'https://localhost/phone' };
    expect(await outsideOnly.send(keys, subscription, word, never)).toEqual({
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
    ['https://127.0.0.1/x', 'The endpoint lies inside this network, where no push service is.'],
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
