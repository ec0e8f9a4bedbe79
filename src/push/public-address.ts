/**
 * Which addresses are public. Everything else is inside: this machine, its network, or no network at all. A browser's
 * push service never is.
 *
 *   1. Of IPv6 only what is routed on the public internet is outside, so that no notation of an inside address
 *      (compatible, 6to4, Teredo, ISATAP, site-local) has to be known here to be refused.
 *   2. An IPv4 address inside an IPv6 one, mapped or for NAT64, counts as that IPv4 address.
 *   3. A name is checked when it has become an address, at the moment of the connection (see `web-push`).
 */
import { BlockList, isIP, isIPv6 } from 'node:net';

const listOf = (v4: readonly string[], v6: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const net of v4) list.addSubnet(...parts(net), 'ipv4');
  for (const net of v6) list.addSubnet(...parts(net), 'ipv6');
  return list;
};

function parts(net: string): [string, number] {
  const [address = '', bits] = net.split('/');
  return [address, Number(bits)];
}

const LOOPBACK = listOf(['127.0.0.0/8'], ['::1/128']);

const NOT_PUBLIC = listOf(
  [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/3',
  ],
  ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
);

const PUBLIC_IPV6 = listOf([], ['2000::/3']);
const NAT64 = listOf([], ['64:ff9b::/96']);

const holds = (list: BlockList, address: string): boolean => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

export type Allowance = { readonly allowLoopback: boolean };

/** For an address in figures. */
export function isForbidden(address: string, { allowLoopback }: Allowance): boolean {
  const plain = carriedIPv4(address) ?? address;
  if (allowLoopback && holds(LOOPBACK, plain)) return false;
  return holds(NOT_PUBLIC, plain) || (isIPv6(plain) && !holds(PUBLIC_IPV6, plain));
}

/** The IPv4 address inside an IPv6 one: `::ffff:a.b.c.d` and, behind a translator, `64:ff9b::a.b.c.d`. */
function carriedIPv4(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const written = URL.parse(`http://[${address.replace(/%.*$/, '')}]/`)?.hostname.slice(1, -1) ?? '';
  const figures = /:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(written);
  if (!figures || !(written.startsWith('::ffff:') || holds(NAT64, written))) return undefined;
  const [high, low] = [Number.parseInt(figures[1] ?? '', 16), Number.parseInt(figures[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** For the name in a URL: figures are checked here, other names when they have become figures. */
export function isForbiddenName(hostname: string, allowance: Allowance): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(bare)) return isForbidden(bare, allowance);
  return /(?:^|\.)localhost$/i.test(bare) && !allowance.allowLoopback;
}
