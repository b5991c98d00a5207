import { createHash, timingSafeEqual } from 'node:crypto';
import { linkSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Failure } from '../protocol/failure.js';
import { given } from '../protocol/given.js';
import { Scope } from '../protocol/scope.js';
import { readPrivate, stampOf, statOf, systemErrorCode, writeDurably } from './private-file.js';
import { checkGrant, type Identity, identityOf, NamedToken, type TokenGrant } from './token-grant.js';

const TokensFile = z.object({ tokens: z.array(NamedToken) });
const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
const ownerName = 'owner';
const tokenBytes = 32;
// A change takes milliseconds; what is older was left by a process that died.
const abandonedMs = 10_000;

/**
 * The tokens of a home. Whoever changes the files, every process sees it with its next question,
 * so a rotated or removed token is refused at once.
 */
export class Tokens {
  readonly #ownerFile: string;
  readonly #namedFile: string;
  readonly #now: () => number;
  readonly #randomBytes: (length: number) => Uint8Array;
  #known: readonly Identity[] = [];
  #byUser: ReadonlyMap<string, Identity> = new Map();
  #stamp = '';

  constructor(options: {
    readonly home: string;
    readonly now: () => number;
    readonly randomBytes: (length: number) => Uint8Array;
  }) {
    this.#ownerFile = join(options.home, 'token');
    this.#namedFile = join(options.home, 'tokens.json');
    this.#now = options.now;
    this.#randomBytes = options.randomBytes;
    mkdirSync(options.home, { recursive: true, mode: 0o700 });
    this.#makeOwner();
    this.#refresh();
  }

  /** Whose token this is, or null; it takes the same time for every wrong one. */
  identify(bearer: string): Identity | null {
    this.#refresh();
    const given = digestOf(bearer);
    let found: Identity | null = null;
    for (const identity of this.#known) if (isSame(identity.digest, given)) found = identity;
    return found;
  }

  /** Who somebody is that a trusted proxy has signed in, or null. */
  identifyUser(user: string): Identity | null {
    this.#refresh();
    return this.#byUser.get(user) ?? null;
  }

  /** The token that somebody came with, as it is now; null once it is gone. */
  current({ digest, scope }: Pick<Identity, 'digest' | 'scope'>): Identity | null {
    this.#refresh();
    return this.#known.find((each) => each.digest === digest && each.scope === scope) ?? null;
  }

  /** Whether a person's token with this digest is still good. */
  isHeld(digest: string): boolean {
    this.#refresh();
    return this.#known.some((each) => each.digest === digest && each.scope !== 'agent');
  }

  /** Whether the token that somebody came with is still good. */
  holds(identity: Identity): boolean {
    return this.current(identity) !== null;
  }

  /** The owner, as whom the worker itself hands out login links. */
  owner(): Identity {
    this.#refresh();
    const owner = this.#known.find(({ name }) => name === ownerName);
    if (!owner)
      throw new Failure('missing_file', `${this.#ownerFile} is missing. Run: handraise token rotate`);
    return owner;
  }

  list(): Omit<NamedToken, 'digest'>[] {
    return readNamed(this.#namedFile).map(({ digest: _digest, ...token }) => token);
  }

  /** Makes a token; its text is shown this once and stored nowhere. */
  add(name: string, grant: TokenGrant): string {
    return this.#add(name, grant);
  }

  /** Lets somebody in whom a trusted proxy signs in; there is no token that anybody could know. */
  addUser(name: string, user: string, grant: TokenGrant): void {
    if (!isUserName(user))
      throw new Failure(
        'invalid',
        'A user is named as the proxy does: up to 254 visible characters of ASCII.',
      );
    this.#add(name, grant, user);
  }

  #add(name: string, grant: TokenGrant, user?: string): string {
    if (!namePattern.test(name) || name === ownerName) {
      throw new Failure(
        'invalid',
        `"${name}" cannot be the name of a token. Use letters, digits, dots, dashes and underscores.`,
      );
    }
    checkGrant(grant);
    const token = this.#newToken();
    this.#change((tokens) => {
      if (user !== undefined && tokens.some((each) => each.user === user))
        throw new Failure('conflict', `${user} has access already. See: handraise token ls`);
      if (tokens.some((each) => each.name === name)) {
        throw new Failure('conflict', `There is already a token named ${name}.`);
      }
      const createdAt = new Date(this.#now()).toISOString();
      const made = NamedToken.parse({
        name,
        ...grant,
        digest: digestOf(token),
        createdAt,
        ...given({ user }),
      });
      return [...tokens, made];
    });
    return token;
  }

  remove(name: string): void {
    this.#change((tokens) => {
      const rest = tokens.filter((each) => each.name !== name);
      if (rest.length === tokens.length) throw new Failure('not_found', `There is no token named ${name}.`);
      return rest;
    });
  }

  /** Replaces the owner's token; the old one is refused from now on. */
  rotate(): string {
    const token = this.#newToken();
    const next = `${this.#ownerFile}.${digestOf(token).slice(0, 8)}`;
    writeDurably(openSync(next, 'wx', 0o600), `${token}\n`);
    renameSync(next, this.#ownerFile);
    return token;
  }

  #newToken(): string {
    return `hrt_${Buffer.from(this.#randomBytes(tokenBytes)).toString('base64url')}`;
  }

  #makeOwner(): void {
    if (statOf(this.#ownerFile)) return;
    const token = this.#newToken();
    const next = `${this.#ownerFile}.${digestOf(token).slice(0, 8)}`;
    writeDurably(openSync(next, 'wx', 0o600), `${token}\n`);
    try {
      // A link never replaces: of two that start at once, one makes the token and both use it.
      linkSync(next, this.#ownerFile);
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    } finally {
      rmSync(next, { force: true });
    }
  }

  #refresh(): void {
    const stamp = `${stampOf(this.#ownerFile)} ${stampOf(this.#namedFile)}`;
    if (stamp === this.#stamp) return;
    const owner = readPrivate(this.#ownerFile)?.trim();
    const named = readNamed(this.#namedFile);
    this.#known = [
      ...(owner
        ? [{ name: ownerName, scope: 'full' as const, digest: digestOf(owner), may: Scope.options }]
        : []),
      ...named.map(identityOf),
    ];
    this.#byUser = new Map(
      named.flatMap((token) => (token.user === undefined ? [] : [[token.user, identityOf(token)]])),
    );
    this.#stamp = stamp;
  }

  /** One change at a time: the file that becomes the next one is also the lock. */
  #change(change: (tokens: readonly NamedToken[]) => readonly NamedToken[]): void {
    const next = `${this.#namedFile}.new`;
    const handle = this.#claim(next);
    try {
      const tokens = change(readNamed(this.#namedFile));
      writeDurably(handle, `${JSON.stringify({ tokens }, null, 2)}\n`);
      renameSync(next, this.#namedFile);
    } catch (error) {
      rmSync(next, { force: true });
      throw error;
    }
  }

  #claim(path: string): number {
    const left = statOf(path);
    if (left && this.#now() - left.mtimeMs > abandonedMs) rmSync(path, { force: true });
    try {
      return openSync(path, 'wx', 0o600);
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
      throw new Failure('conflict', 'Another process is changing the tokens. Try again.', { cause: error });
    }
  }
}

/** Whether a text can be the name of a user as a proxy tells it. */
export function isUserName(text: string): boolean {
  return /^[\x21-\x7e]{1,254}$/.test(text);
}

/** The form in which a secret is kept. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

function isSame(known: string, given: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function readNamed(path: string): readonly NamedToken[] {
  const text = readPrivate(path);
  if (text === null) return [];
  try {
    return TokensFile.parse(JSON.parse(text)).tokens;
  } catch (error) {
    throw new Failure('config', `${path} is damaged. Delete it and create the tokens again.`, {
      cause: error,
    });
  }
}
