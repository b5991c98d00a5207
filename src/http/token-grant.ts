import * as z from 'zod';
import { Failure } from '../protocol/failure.js';
import { given } from '../protocol/given.js';
import { everyScope, Scope, WorkLabel } from '../protocol/scope.js';

/** What kind of token it is: for everything, for what an agent may do on its own, or for what its scopes name. */
export const TokenScope = z.enum(['full', 'agent', 'limited']);
export type TokenScope = z.infer<typeof TokenScope>;

/** What a new token may do; one for agents is for a single workspace. */
export type TokenGrant =
  | { readonly scope: 'full' }
  | { readonly scope: 'agent'; readonly workspace: string }
  | {
      readonly scope: 'limited';
      readonly scopes: readonly Scope[];
      /** Approves only in threads whose first work has one of these labels; everywhere without. */
      readonly approves?: readonly string[];
    };

/** Who holds a token; the digest tells two tokens of one name apart. */
export interface Identity {
  readonly name: string;
  readonly scope: TokenScope;
  readonly digest: string;
  /** Everything that a person may do with it; a token of scope agent has rights of its own kind. */
  readonly may: readonly Scope[];
  readonly approves?: readonly string[] | undefined;
  /** The owner's token has none. */
  readonly createdAt?: string | undefined;
  /** Where a token of scope agent may start work. */
  readonly workspace?: string | undefined;
}

/** A token as its file has it. One with a user is no secret: a proxy says who comes. */
export const NamedToken = z.object({
  name: z.string(),
  scope: TokenScope,
  digest: z.string(),
  createdAt: z.iso.datetime(),
  workspace: z.string().optional(),
  scopes: z.array(Scope).optional(),
  approves: z.array(WorkLabel).optional(),
  user: z.string().optional(),
});
export type NamedToken = z.infer<typeof NamedToken>;

export function identityOf(token: NamedToken): Identity {
  const { name, scope, digest, createdAt, workspace, approves } = token;
  return { name, scope, digest, may: allowedBy(token), createdAt, ...given({ workspace, approves }) };
}

/** What comes before a token is made: a grant that means something. */
export function checkGrant(grant: TokenGrant): void {
  if (grant.scope !== 'limited') return;
  const { scopes, approves = [] } = grant;
  if (scopes.length === 0) throw new Failure('invalid', 'A token of no scope could do nothing.');
  if (approves.length > 0 && (!scopes.includes('approve') || scopes.includes('admin')))
    throw new Failure(
      'invalid',
      'Labels limit what a token may approve: give it the scope approve, and not admin, which approves everything.',
    );
  const wrong = approves.find((label) => !WorkLabel.safeParse(label).success);
  if (wrong !== undefined) throw new Failure('invalid', `"${wrong}" is no label. Write NAME=VALUE.`);
}

function allowedBy({ scope, scopes = [] }: Pick<NamedToken, 'scope' | 'scopes'>): readonly Scope[] {
  if (scope === 'agent') return [];
  return scope === 'full' ? Scope.options : everyScope(scopes);
}
