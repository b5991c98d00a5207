import { createHash, timingSafeEqual } from 'node:crypto';
import { linkSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Failure } from '../protocol/failure.js';
import { given } from '../protocol/given.js';
import { readPrivate, stampOf, statOf, systemErrorCode, writeDurably } from './private-file.js';

/** What a token may do: everything, or what an agent may do on its own. */
export const TokenScope = z.enum(['full', 'agent']);
export type TokenScope = z.infer<typeof TokenScope>;

/** What a new token may do; one for agents is for a single workspace. */
export type TokenGrant = { readonly scope: 'full' } | { readonly scope: 'agent'; readonly workspace: string };

/** Who holds a token; the digest tells two tokens of one name apart. */
export interface Identity {
  readonly name: string;
  readonly scope: TokenScope;
  readonly digest: string;
  /** The owner's token has none. */
  readonly createdAt?: string | undefined;
  /** Where a token of scope agent may start work. */
  readonly workspace?: string | undefined;
}

const NamedToken = z.object({
  name: z.string(),
  scope: TokenScope,
  digest: z.string(),
  createdAt: z.iso.datetime(),
  workspace: z.string().optional(),
});
type NamedToken = z.infer<typeof NamedToken>;

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

  /** Whether the token that somebody came with is still good. */
  holds(identity: Identity): boolean {
    this.#refresh();
    return this.#known.some(({ digest, scope }) => digest === identity.digest && scope === identity.scope);
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
    return readNamed(this.#namedFile).map(({ name, scope, createdAt, workspace }) => ({
      name,
      scope,
      createdAt,
      ...given({ workspace }),
    }));
  }

  /** Makes a token; its text is shown this once and stored nowhere. */
  add(name: string, grant: TokenGrant): string {
    if (!namePattern.test(name) || name === ownerName) {
      throw new Failure(
        'invalid',
        `"${name}" cannot be the name of a token. Use letters, digits, dots, dashes and underscores.`,
      );
    }
    const token = this.#newToken();
    this.#change((tokens) => {
      if (tokens.some((each) => each.name === name)) {
        throw new Failure('conflict', `There is already a token named ${name}.`);
      }
      const createdAt = new Date(this.#now()).toISOString();
      return [...tokens, { name, ...grant, digest: digestOf(token), createdAt }];
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
      ...(owner ? [{ name: ownerName, scope: 'full' as const, digest: digestOf(owner) }] : []),
      ...named,
    ];
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
