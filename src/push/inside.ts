/** Which addresses lie inside: this machine, its network. A browser's push service never does. */
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

const INSIDE = listOf(
  [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '224.0.0.0/3',
  ],
  // The last carries an IPv4 address within it, whichever. Those that are written as IPv6 are looked at as what they are.
  ['::/128', '::1/128', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8', '64:ff9b::/96'],
);

const holds = (list: BlockList, address: string): boolean => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

export type Allowance = { readonly allowLoopback: boolean };

/** For an address in figures. */
export const isForbidden = (address: string, { allowLoopback }: Allowance): boolean =>
  holds(INSIDE, address) && !(allowLoopback && holds(LOOPBACK, address));

/** For the name in a URL: figures are looked at here, other names when they have become figures. */
export function isForbiddenName(hostname: string, allowance: Allowance): boolean {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare)) return isForbidden(bare, allowance);
  return /(?:^|\.)localhost\.?$/i.test(bare) && !allowance.allowLoopback;
}
