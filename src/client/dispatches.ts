import * as z from 'zod';
import { Dispatch, type DispatchEdit, type DispatchRequest } from '../protocol/dispatch.js';
import type { DispatchId, ThreadId } from '../protocol/id.js';
import type { WorkStanding } from '../protocol/thread-query.js';
import type { ApiConnection } from './connection.js';
import { everyPage, type ListQuery, next, type PageQuery } from './page.js';

const DispatchPage = z.object({ dispatches: z.array(Dispatch), next });
export type DispatchPage = z.infer<typeof DispatchPage>;

export interface DispatchQuery extends ListQuery {
  /** Its state, or how it ended. */
  readonly state?: WorkStanding;
  readonly thread?: ThreadId;
  /** What the agent of this work asked for. */
  readonly parent?: DispatchId;
  /** Given with the token of this client. */
  readonly mine?: true;
  /** Labels that it has, as key or key=value. */
  readonly label?: readonly string[];
}

/** How long one request waits for an end; shorter than every time limit on the way. */
const waitSeconds = 60;

/** Pieces of work. */
export class DispatchClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  /** Commits work; the same key with the same request is the same dispatch. */
  submit(request: DispatchRequest, options: { readonly idempotencyKey?: string } = {}): Promise<Dispatch> {
    const { idempotencyKey } = options;
    return this.#connection.call(Dispatch, '/dispatches', {
      method: 'POST',
      body: request,
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    });
  }

  get(id: DispatchId): Promise<Dispatch> {
    return this.#connection.call(Dispatch, `/dispatches/${id}`);
  }

  list(query: DispatchQuery = {}): Promise<DispatchPage> {
    return this.#connection.call(DispatchPage, '/dispatches', { query: { ...query } });
  }

  async *all(query: Omit<DispatchQuery, keyof PageQuery> = {}): AsyncGenerator<Dispatch> {
    for await (const page of everyPage((part) => this.list({ ...query, ...part }))) yield* page.dispatches;
  }

  /** Everything in a thread that has not ended, oldest first. */
  async unended(thread: ThreadId): Promise<Dispatch[]> {
    const pages = await Promise.all(
      (['running', 'waiting', 'queued'] as const).map((state) => this.list({ thread, state })),
    );
    return pages
      .flatMap(({ dispatches }) => dispatches)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The dispatch once it has ended, however long that takes. */
  async ended(id: DispatchId, options: { readonly signal?: AbortSignal } = {}): Promise<Dispatch> {
    for (;;) {
      const dispatch = await this.wait(id, waitSeconds, options.signal);
      if (dispatch.state === 'ended') return dispatch;
    }
  }

  /** The dispatch as it is when it has ended, or when so much time is over. */
  wait(id: DispatchId, seconds: number, signal?: AbortSignal): Promise<Dispatch> {
    return this.#connection.call(Dispatch, `/dispatches/${id}`, {
      query: { wait: seconds },
      ...(signal && { signal }),
    });
  }

  cancel(id: DispatchId): Promise<Dispatch> {
    return this.#connection.call(Dispatch, `/dispatches/${id}/cancel`, { method: 'POST' });
  }

  /** Changes work that has not begun. */
  edit(id: DispatchId, edit: DispatchEdit): Promise<Dispatch> {
    return this.#connection.call(Dispatch, `/dispatches/${id}`, { method: 'PATCH', body: edit });
  }

  /** New work with the same request. */
  retry(id: DispatchId): Promise<Dispatch> {
    return this.#connection.call(Dispatch, `/dispatches/${id}/retry`, { method: 'POST' });
  }
}
