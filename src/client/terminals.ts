import type * as z from 'zod';
import type { ThreadId } from '../protocol/id.js';
import type { ProcessIdentity } from '../protocol/run.js';
import {
  type AdoptRequest,
  type FoundSession,
  OpenedTerminal,
  SessionList,
  type TerminalRequest,
} from '../protocol/terminal.js';
import { Thread } from '../protocol/thread.js';
import type { ApiConnection } from './connection.js';

/** Threads in the runtimes' own terminal programs, and sessions that were started there. */
export class TerminalClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  /** Gives a thread to a terminal; what is to be started there comes back. */
  open(id: ThreadId, request: z.input<typeof TerminalRequest>): Promise<OpenedTerminal> {
    return this.#connection.call(OpenedTerminal, `/threads/${id}/terminal`, {
      method: 'POST',
      body: request,
    });
  }

  /** Says which process the program is, before it reads. */
  begin(id: ThreadId, program: ProcessIdentity): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}/terminal`, { method: 'PUT', body: { program } });
  }

  /** Takes a thread back whose program has ended. */
  close(id: ThreadId): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}/terminal`, { method: 'DELETE' });
  }

  /** Sessions that were started by hand, newest first. */
  async sessions(query: { readonly workspace?: string } = {}): Promise<FoundSession[]> {
    return (await this.#connection.call(SessionList, '/sessions', { query: { ...query } })).sessions;
  }

  /** Makes a thread of a session. */
  adopt(request: z.input<typeof AdoptRequest>): Promise<Thread> {
    return this.#connection.call(Thread, '/sessions/adopt', { method: 'POST', body: request });
  }
}
