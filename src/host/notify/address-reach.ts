import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Who can be behind an address: anybody, somebody of this machine's own networks, or nobody that is to be called. */
export type Reach = 'public' | 'private' | 'forbidden';

type Subnet = readonly [network: string, prefix: number];

const privateV4: readonly Subnet[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];

const forbiddenV4: readonly Subnet[] = [
  // Linux takes it for this machine.
  ['0.0.0.0', 8],
  // The metadata services of Alibaba, of most others, and of Azure; the last is in the middle of public addresses.
  ['100.100.100.200', 32],
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['192.0.0.0', 24],
  // Documentation, relays and benchmarks.
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved, broadcast.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const privateV6: readonly Subnet[] = [
  ['::1', 128],
  ['fc00::', 7],
];

const forbiddenV6: readonly Subnet[] = [
  // The metadata services of AWS, Google Cloud and Oracle, among private addresses.
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  ['fd00:c1::a9fe:a9fe', 128],
  // Teredo and other protocols, documentation, and 6to4, which carries an IPv4 address of anybody's choice.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

// Everything else is not routed to anybody. A network without IPv4 reaches it below the last of these.
const globalV6: readonly Subnet[] = [
  ['2000::', 3],
  ['64:ff9b::', 96],
];

const forbidden = listOf(forbiddenV4, forbiddenV6);
const within = listOf(privateV4, privateV6);
const global = listOf([], globalV6);

/** Judges an IP address in its text form; what is none is forbidden. */
export function reachOf(address: string): Reach {
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (family === 'ipv6' && !isIPv6(address)) return 'forbidden';
  if (forbidden.check(address, family)) return 'forbidden';
  if (within.check(address, family)) return 'private';
  return family === 'ipv4' || global.check(address, family) ? 'public' : 'forbidden';
}

/** A list that also knows its IPv4 networks by their names in IPv6; Node knows `::ffff:` by itself. */
function listOf(v4: readonly Subnet[], v6: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of v4) {
    list.addSubnet(network, prefix, 'ipv4');
    list.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
  }
  for (const [network, prefix] of v6) list.addSubnet(network, prefix, 'ipv6');
  return list;
}
