import { openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readPrivate, writeDurably } from './private-file.js';
import { type Identity, TokenScope } from './token-grant.js';
import { digestOf, type Tokens } from './tokens.js';

/** How the secret of a signed-in browser begins. */
export const sessionPrefix = 'hrs_';
const idleMs = 12 * 60 * 60_000;
// How old the stored time of use may be; writing it with every request would cost a disk its rest.
const freshMs = 10 * 60_000;
const mostSessions = 1000;

const Session = z.object({
  // What its token may do is asked of the tokens every time.
  identity: z.object({ name: z.string(), scope: TokenScope, digest: z.string() }),
  usedAt: z.number(),
});
type Session = z.infer<typeof Session>;
const SessionsFile = z.object({ sessions: z.array(z.tuple([z.string(), Session])) });

/**
 * Signed-in browsers; a session ends after twelve idle hours, and at once with the token that it came from.
 * They are kept in a file of the home, by the digests of their secrets, so that a restarted worker knows them still.
 */
export class Sessions {
  readonly #file: string;
  readonly #now: () => number;
  readonly #randomBytes: (length: number) => Uint8Array;
  readonly #tokens: Tokens;
  readonly #sessions: Map<string, Session>;
  #savedAt: number;

  constructor(options: {
    readonly home: string;
    readonly now: () => number;
    readonly randomBytes: (length: number) => Uint8Array;
    readonly tokens: Tokens;
  }) {
    this.#file = join(options.home, 'sessions.json');
    this.#now = options.now;
    this.#randomBytes = options.randomBytes;
    this.#tokens = options.tokens;
    this.#sessions = new Map(storedSessions(this.#file));
    this.#savedAt = this.#now();
  }

  /** Opens a session; gives its secret, which is kept nowhere here. */
  open(identity: Identity): string {
    const secret = `${sessionPrefix}${Buffer.from(this.#randomBytes(32)).toString('base64url')}`;
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size >= mostSessions) this.#sessions.delete(oldest);
    const { name, scope, digest } = identity;
    this.#sessions.set(digestOf(secret), { identity: { name, scope, digest }, usedAt: this.#now() });
    this.#save();
    return secret;
  }

  /** Whose session this is; asking keeps it alive. */
  identify(secret: string): Identity | null {
    const digest = digestOf(secret);
    const session = this.#sessions.get(digest);
    if (!session) return null;
    if (this.#isOver(session)) {
      this.#sessions.delete(digest);
      return null;
    }
    session.usedAt = this.#now();
    if (this.#now() - this.#savedAt >= freshMs) this.#saveIfPossible();
    return this.#tokens.current(session.identity);
  }

  close(secret: string): void {
    this.#sessions.delete(digestOf(secret));
    this.#save();
  }

  #isOver({ identity, usedAt }: Session): boolean {
    return this.#now() - usedAt >= idleMs || this.#tokens.current(identity) === null;
  }

  /** A full disk signs nobody out; the time of use is then older than it should be. */
  #saveIfPossible(): void {
    try {
      this.#save();
    } catch {
      this.#savedAt = this.#now();
    }
  }

  #save(): void {
    this.#savedAt = this.#now();
    const sessions = [...this.#sessions].filter(([, session]) => !this.#isOver(session));
    const next = `${this.#file}.new`;
    writeDurably(openSync(next, 'w', 0o600), `${JSON.stringify({ sessions })}\n`);
    renameSync(next, this.#file);
  }
}

/** What is damaged or open to others is worth a sign-in, not a worker that does not start. */
function storedSessions(file: string): [string, Session][] {
  try {
    return SessionsFile.parse(JSON.parse(readPrivate(file) ?? '{"sessions":[]}')).sessions;
  } catch {
    return [];
  }
}
