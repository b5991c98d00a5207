import { digestOf, type Identity, type Tokens } from './tokens.js';

export const sessionCookie = 'handraise_session';
const idleMs = 12 * 60 * 60_000;
const mostSessions = 1000;

/** Signed-in browsers; a session ends after twelve idle hours, and at once with the token that it came from. */
export class Sessions {
  readonly #now: () => number;
  readonly #randomBytes: (length: number) => Uint8Array;
  readonly #tokens: Tokens;
  readonly #sessions = new Map<string, { readonly identity: Identity; usedAt: number }>();

  constructor(options: {
    readonly now: () => number;
    readonly randomBytes: (length: number) => Uint8Array;
    readonly tokens: Tokens;
  }) {
    this.#now = options.now;
    this.#randomBytes = options.randomBytes;
    this.#tokens = options.tokens;
  }

  /** Opens a session; gives the value of its cookie. */
  open(identity: Identity): string {
    const secret = Buffer.from(this.#randomBytes(32)).toString('base64url');
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size >= mostSessions) this.#sessions.delete(oldest);
    this.#sessions.set(digestOf(secret), { identity, usedAt: this.#now() });
    return secret;
  }

  /** Whose session this is; asking keeps it alive. */
  identify(secret: string): Identity | null {
    const digest = digestOf(secret);
    const session = this.#sessions.get(digest);
    if (!session) return null;
    if (this.#now() - session.usedAt >= idleMs || !this.#tokens.holds(session.identity)) {
      this.#sessions.delete(digest);
      return null;
    }
    session.usedAt = this.#now();
    return session.identity;
  }

  close(secret: string): void {
    this.#sessions.delete(digestOf(secret));
  }
}
