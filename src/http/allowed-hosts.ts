import { isIP } from 'node:net';
import { Failure } from '../protocol/failure.js';
import { readHost } from '../protocol/host-name.js';

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The names under which this server may be spoken to. Compared whole and exactly:
 * a page whose name points to 127.0.0.1 (DNS rebinding) still sends its own name.
 */
export class AllowedHosts {
  readonly #hosts = new Set<string>();
  readonly #origins = new Set<string>();

  constructor(options: {
    readonly port: number;
    readonly bound: string;
    readonly configured: readonly string[];
  }) {
    for (const name of [...loopback, options.bound]) this.#allow(name, options.port, ['http']);
    for (const given of options.configured) {
      const url = readHost(given);
      if (!url)
        throw new Failure('config', `allowedHosts: "${given}" is not a host name, with or without a port.`);
      // A proxy in front may speak TLS, and leaves its own port out of the name.
      if (url.port === '') this.#allow(url.hostname, options.port, ['http', 'https']);
      this.#add(url.host, ['http', 'https']);
    }
  }

  hasHost(header: string): boolean {
    return this.#hosts.has(header.toLowerCase());
  }

  /** Whether a page of this origin is ours; `null`, what a sandboxed frame sends, never is. */
  hasOrigin(header: string): boolean {
    return this.#origins.has(header);
  }

  #allow(name: string, port: number, schemes: readonly string[]): void {
    this.#add(`${name}:${port}`, schemes);
    if (port === 80) this.#add(name, schemes);
  }

  #add(host: string, schemes: readonly string[]): void {
    this.#hosts.add(host);
    for (const scheme of schemes) this.#origins.add(`${scheme}://${host}`);
  }
}

/** Refuses to listen where others can connect unless it was said under which name they do. */
export function checkBind(bind: string, configured: readonly string[]): void {
  if (isLoopback(bind) || configured.length > 0) return;
  throw new Failure(
    'usage',
    `${bind} can be reached from other machines. Set allowedHosts to the host names that clients use, or bind 127.0.0.1.`,
  );
}

/** Whether an address is of this machine alone. */
export function isLoopback(bind: string): boolean {
  return bind === 'localhost' || bind === '::1' || (isIP(bind) === 4 && bind.startsWith('127.'));
}
