import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { endianness } from 'node:os';

/** A TCP connection over loopback as the side that accepted it sees it. */
export interface LoopbackConnection {
  readonly remotePort: number;
  readonly localPort: number;
  /** Makes the answer exact and twice as fast; without it any loopback address counts. */
  readonly remoteAddress?: string;
}

/** The sockets at the other end: their inodes; `closed` when nobody holds it any more, null where we cannot tell. */
export type OtherEnd = ReadonlySet<string> | 'closed' | null;

/** The pids that hold the other end of a loopback TCP connection; null where this machine cannot tell. */
export function connectionOwners(connection: LoopbackConnection): Set<number> | null {
  const end = otherEnd(connection);
  if (end === null) return null;
  if (end === 'closed') return new Set();
  return new Set(allPids().filter((pid) => holdsSocket(pid, end)));
}

/**
 * Finds the other ends in the kernel's tables, which only Linux has; each is read once for all of them.
 * Reading one takes 4 ms on a machine with 262,144 hash buckets, however few connections there are. A client with an
 * IPv6 socket may reach an IPv4 listener, so the second table is needed unless the first has exactly this connection.
 */
export function otherEnds(connections: readonly LoopbackConnection[]): OtherEnd[] {
  if (process.platform !== 'linux' || endianness() !== 'LE') return connections.map(() => null);
  const table = readTable('/proc/net/tcp');
  let second: string | undefined;
  return connections.map((connection) => {
    const inodes = socketsIn(table, connection);
    if (connection.remoteAddress === undefined || inodes.length === 0) {
      second ??= readTable('/proc/net/tcp6');
      inodes.push(...socketsIn(second, connection));
    }
    const held = new Set(inodes.filter((inode) => inode !== '0'));
    return held.size > 0 ? held : 'closed';
  });
}

/** The other end of one connection. */
export function otherEnd(connection: LoopbackConnection): OtherEnd {
  return otherEnds([connection])[0] ?? null;
}

/** The inodes of the other end, from the text of one of the tables; a socket that was closed has 0. */
export function socketsIn(table: string, connection: LoopbackConnection): string[] {
  const client = `${hexAddress(connection.remoteAddress)}:${hexPort(connection.remotePort)}`;
  const server = `:${hexPort(connection.localPort)}`;
  return table.split('\n').flatMap((line) => {
    // Columns: number, local address, remote address, state, queues, timer, retries, uid, timeout, inode.
    const [, from = '', to = '', , , , , , , inode = ''] = line.trim().split(/\s+/);
    const isClient = from.endsWith(client) && to.endsWith(server) && LOOPBACK.test(from) && LOOPBACK.test(to);
    return isClient ? [inode] : [];
  });
}

/** The sockets among the files of a process, by their inodes; null when its files are not ours to see. */
export function socketsOf(pid: number): Set<string> | null {
  let files: string[];
  try {
    files = readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? null : new Set();
  }
  const targets = files.map((file) => linkOf(`/proc/${pid}/fd/${file}`));
  const sockets = targets.filter((target) => target.startsWith('socket:['));
  return new Set(sockets.map((target) => target.slice('socket:['.length, -1)));
}

function holdsSocket(pid: number, inodes: ReadonlySet<string>): boolean {
  return [...(socketsOf(pid) ?? [])].some((socket) => inodes.has(socket));
}

// Addresses are written as words in the byte order of the machine: 127.0.0.1 is 0100007F, mapped to IPv6 or not.
const LOOPBACK = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F):/;

function hexAddress(address = ''): string {
  const bytes = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)?.slice(1) ?? [];
  return bytes
    .toReversed()
    .map((byte) => Number(byte).toString(16).toUpperCase().padStart(2, '0'))
    .join('');
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

function allPids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

// A machine without IPv6 has no second table.
function readTable(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
