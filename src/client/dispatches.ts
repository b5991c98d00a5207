import * as z from 'zod';
import { Dispatch, type DispatchRequest, type DispatchState } from '../protocol/dispatch.js';
import type { DispatchId, ThreadId } from '../protocol/id.js';
import type { Connection } from './connection.js';
import { everyPage, type ListQuery, next, type PageQuery } from './page.js';

const DispatchPage = z.object({ dispatches: z.array(Dispatch), next });
export type DispatchPage = z.infer<typeof DispatchPage>;

export interface DispatchQuery extends ListQuery {
  readonly state?: DispatchState;
  readonly thread?: ThreadId;
}

/** How long one request waits for an end; shorter than every time limit on the way. */
const waitSeconds = 60;

/** Pieces of work. */
export class Dispatches {
  readonly #connection: Connection;

  constructor(connection: Connection) {
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

  /** The dispatch once it has ended, however long that takes. */
  async ended(id: DispatchId, options: { readonly signal?: AbortSignal } = {}): Promise<Dispatch> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- each request waits as long as it may
      const dispatch = await this.#connection.call(Dispatch, `/dispatches/${id}`, {
        query: { wait: waitSeconds },
        ...options,
      });
      if (dispatch.state === 'ended') return dispatch;
    }
  }

  cancel(id: DispatchId): Promise<Dispatch> {
    return this.#connection.call(Dispatch, `/dispatches/${id}/cancel`, { method: 'POST' });
  }

  /** New work with the same request. */
  retry(id: DispatchId): Promise<Dispatch> {
    return this.#connection.call(Dispatch, `/dispatches/${id}/retry`, { method: 'POST' });
  }
}
