import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { ProxyUsers } from '../protocol/proxy-users.js';
import { isUserName } from './tokens.js';

/** Whom a proxy in front of the worker has signed in, with OIDC or otherwise; believed from its addresses alone. */
export class TrustedProxy {
  readonly #header: string;
  readonly #addresses = new BlockList();

  constructor({ header, from }: ProxyUsers) {
    this.#header = header.toLowerCase();
    for (const each of from) {
      const [address = '', bits] = each.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      this.#addresses.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
    }
  }

  /** The name that the proxy sends; null where another machine sends it, or nobody, or two at once. */
  userOf({
    socket,
    headersDistinct,
  }: Pick<IncomingMessage, 'headersDistinct'> & { socket: { remoteAddress?: string | undefined } }):
    | string
    | null {
    const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0 || !this.#addresses.check(address, family)) return null;
    const [user, ...more] = headersDistinct[this.#header] ?? [];
    return user !== undefined && more.length === 0 && isUserName(user) ? user : null;
  }
}
