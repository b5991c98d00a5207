import type { HttpBindings } from '@hono/node-server';
import type { Actor, Host } from '../host/host.js';
import type { UsualContainer } from '../protocol/container.js';
import type { ProcessIdentity } from '../protocol/run.js';
import type { AllowedHosts } from './allowed-hosts.js';
import type { AuthFailures } from './auth-failures.js';
import type { LoginCodes } from './login-codes.js';
import type { TrustedProxy } from './proxy-users.js';
import type { Sessions } from './sessions.js';
import type { Streams } from './streams.js';
import type { Identity } from './token-grant.js';
import type { Tokens } from './tokens.js';

/** A connection as the caller's machine knows it; which process has it can be looked up. */
export interface CallerConnection {
  readonly remotePort: number;
  readonly localPort: number;
  readonly remoteAddress?: string;
}

/** What every route may use of the world; one object for the life of the server. */
export interface ApiParts {
  readonly host: Host;
  readonly version: string;
  readonly url: string;
  /** Where the console is found from other machines. */
  readonly publicUrl?: string | undefined;
  readonly undoSeconds: number;
  /** The container that the web console offers. */
  readonly container?: UsualContainer | undefined;
  /** The OpenAPI document. */
  readonly document: () => { readonly openapi: string };
  readonly log: (line: string) => void;
  readonly now: () => number;
  readonly isAgent: (connection: CallerConnection) => boolean | Promise<boolean>;
  /** The processes that may have opened a connection, with those that started them; none where this machine cannot tell. */
  readonly callers: (connection: CallerConnection) => readonly ProcessIdentity[];
  readonly onShutdown: () => void;
  readonly allowedHosts: AllowedHosts;
  readonly tokens: Tokens;
  /** Whose word about who comes is taken. */
  readonly proxy?: TrustedProxy | undefined;
  /** What this worker proves itself with to clients of its home. */
  readonly proofSecret: string;
  readonly sessions: Sessions;
  readonly loginCodes: LoginCodes;
  readonly authFailures: AuthFailures;
  readonly streams: Streams;
  /** Fires when the server closes. */
  readonly closing: AbortSignal;
}

/** The types of a request on its way through the API. */
export interface ApiEnv {
  Bindings: HttpBindings & ApiParts;
  Variables: {
    identity: Identity;
    /** Whether the token or session is valid still; streams ask again. */
    isStillGood: () => boolean;
    /** The secret of the signed-in browser that asks; missing where a token came. */
    session: string | undefined;
  };
}

/** Who asks, as it is recorded. */
export function actorOf(identity: Identity): Actor {
  return `user:${identity.name}`;
}
