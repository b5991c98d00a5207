import type { Identity } from './token-grant.js';
import { digestOf } from './tokens.js';

const lifeMs = 10 * 60_000;
const mostCodes = 100;

/** Codes that sign a browser in: each once, within ten minutes. */
export class LoginCodes {
  readonly #now: () => number;
  readonly #randomBytes: (length: number) => Uint8Array;
  readonly #codes = new Map<string, { readonly identity: Identity; readonly until: number }>();

  constructor(options: {
    readonly now: () => number;
    readonly randomBytes: (length: number) => Uint8Array;
  }) {
    this.#now = options.now;
    this.#randomBytes = options.randomBytes;
  }

  issue(identity: Identity): string {
    const code = Buffer.from(this.#randomBytes(32)).toString('base64url');
    const [oldest] = this.#codes.keys();
    if (oldest !== undefined && this.#codes.size >= mostCodes) this.#codes.delete(oldest);
    this.#codes.set(digestOf(code), { identity, until: this.#now() + lifeMs });
    return code;
  }

  /** Whether somebody may sign in with this code. */
  has(code: string): boolean {
    return this.#now() < (this.#codes.get(digestOf(code))?.until ?? 0);
  }

  /** Who may sign in with this code; it is used up whether or not it is still good. */
  redeem(code: string): Identity | null {
    const digest = digestOf(code);
    const entry = this.#codes.get(digest);
    this.#codes.delete(digest);
    return entry && this.#now() < entry.until ? entry.identity : null;
  }
}
