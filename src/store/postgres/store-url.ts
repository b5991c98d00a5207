import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { Failure } from '../../protocol/failure.js';

/** One server that may be the one to write to. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  readonly ssl: TlsOptions | false;
}

/** Where a database is, and as whom. */
export interface DatabaseAddress {
  /** In the order in which they are tried. */
  readonly servers: readonly ServerAddress[];
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  /** For people: everything but the password. */
  readonly place: string;
}

const form = 'postgres://user:password@host:5432/database';
const knownParameters = ['sslmode', 'sslrootcert', 'host'];
const authority = /^postgres(?:ql)?:\/\/(?:([^@/]*)@)?([^/?]*)\/([^?]*)(?:\?(.*))?$/;

/** Reads the URL of a store. Several hosts are separated by commas; the one that takes writes is used. */
export function readStoreUrl(url: string): DatabaseAddress {
  const parts = authority.exec(url);
  if (!parts) throw wrong(`It does not have the form ${form}.`);
  const [, login = '', hosts = '', name = '', query = ''] = parts;
  const [user = '', password] = login.split(/:(.*)/s).map(decoded);
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].filter((key) => !knownParameters.includes(key));
  if (unknown.length > 0)
    throw wrong(`It has ${unknown.join(', ')}, and may have ${knownParameters.join(', ')} only.`);
  const database = decoded(name);
  if (user === '' || database === '')
    throw wrong(`It has no ${user === '' ? 'user' : 'database'}; it has the form ${form}.`);
  const socket = parameters.get('host');
  const places = socket === null ? hosts.split(',').map(hostOf) : [{ host: socket, port: 5432 }];
  const servers = places.map((place) => ({ ...place, ssl: tlsOf(place.host, parameters) }));
  const where = places.map(({ host, port }) => `${host}:${port}`).join(',');
  return { servers, user, password, database, place: `${user}@${where}/${database}` };
}

function hostOf(text: string): { host: string; port: number } {
  const [, host, port] = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) throw wrong(`"${text}" is no host.`);
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port ?? 5432) };
}

/** What is said in the clear stays on this machine, unless the URL says otherwise. */
function tlsOf(host: string, parameters: URLSearchParams): TlsOptions | false {
  const isHere = host.startsWith('/') || ['localhost', '127.0.0.1', '::1'].includes(host);
  const mode = parameters.get('sslmode') ?? (isHere ? 'disable' : 'verify-full');
  const file = parameters.get('sslrootcert');
  const trusted = {
    ...(file === null ? {} : { ca: certificateIn(file) }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
  switch (mode) {
    case 'disable':
      return false;
    case 'require':
      return { ...trusted, rejectUnauthorized: file !== null, checkServerIdentity: () => undefined };
    case 'verify-ca':
      return { ...trusted, checkServerIdentity: () => undefined };
    case 'verify-full':
      return trusted;
    default:
      throw wrong(`Its sslmode is "${mode}"; it can be disable, require, verify-ca or verify-full.`);
  }
}

function certificateIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure('missing_file', `The certificate ${file} of the store URL cannot be read.`, {
      cause: error,
    });
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw wrong('It has a % that is no escape.', error);
  }
}

// Never with the URL: it holds a password.
function wrong(why: string, cause?: unknown): Failure {
  return new Failure('config', `The store URL cannot be used. ${why}`, { cause });
}
