import * as z from 'zod';
import { Posted, StatusStep, ThreadDiff, type ThreadRequest } from '../protocol/api.js';
import type { ThreadId } from '../protocol/id.js';
import type { UserItem } from '../protocol/item.js';
import type { PermissionMode } from '../protocol/posture.js';
import { Thread } from '../protocol/thread.js';
import { ThreadItem } from '../protocol/thread-item.js';
import type { Connection } from './connection.js';
import { everyPage, type ListQuery, next, type PageQuery } from './page.js';
import { ThreadEvent } from './thread-event.js';

const ThreadPage = z.object({ threads: z.array(Thread), next });
export type ThreadPage = z.infer<typeof ThreadPage>;

const ItemPage = z.object({ items: z.array(ThreadItem), next: z.int().optional() });
const EventPage = z.object({ events: z.array(ThreadEvent) });

const StatusLog = z.object({ transitions: z.array(StatusStep), next });

/** A part of a thread: what follows an event, so many at most. */
export interface Part {
  readonly after?: number;
  readonly limit?: number;
}

/** Conversations. */
export class Threads {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A thread without work, or one that adopts a session of the runtime's. */
  create(request: z.input<typeof ThreadRequest>): Promise<Thread> {
    return this.#connection.call(Thread, '/threads', { method: 'POST', body: request });
  }

  get(id: ThreadId): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}`);
  }

  list(query: ListQuery = {}): Promise<ThreadPage> {
    return this.#connection.call(ThreadPage, '/threads', { query: { ...query } });
  }

  async *all(query: Omit<ListQuery, keyof PageQuery> = {}): AsyncGenerator<Thread> {
    for await (const page of everyPage((part) => this.list({ ...query, ...part }))) yield* page.threads;
  }

  /** A part of what a person sees in the thread. */
  items(id: ThreadId, part: Part = {}): Promise<z.infer<typeof ItemPage>> {
    return this.#connection.call(ItemPage, `/threads/${id}/items`, { query: { ...part } });
  }

  /** A message, or the answer to the thread's active prompt. */
  post(id: ThreadId, item: UserItem): Promise<Posted> {
    return this.#connection.call(Posted, `/threads/${id}/items`, { method: 'POST', body: item });
  }

  /** A part of the stored events; `Client.events` follows them. */
  async events(id: ThreadId, part: Part = {}): Promise<ThreadEvent[]> {
    const { events } = await this.#connection.call(EventPage, `/threads/${id}/events`, {
      query: { ...part },
    });
    return events;
  }

  /** A part of the status timeline. */
  async statusSteps(id: ThreadId, part: PageQuery = {}): Promise<StatusStep[]> {
    const { transitions } = await this.#connection.call(StatusLog, `/threads/${id}/status-log`, {
      query: { ...part },
    });
    return transitions;
  }

  /** The whole status timeline. */
  async *statusLog(id: ThreadId): AsyncGenerator<StatusStep> {
    const pages = everyPage((part) =>
      this.#connection.call(StatusLog, `/threads/${id}/status-log`, { query: { ...part } }),
    );
    for await (const page of pages) yield* page.transitions;
  }

  diff(id: ThreadId): Promise<ThreadDiff> {
    return this.#connection.call(ThreadDiff, `/threads/${id}/diff`);
  }

  /** Cancels the running turn; the agent stays. */
  interrupt(id: ThreadId): Promise<Thread> {
    return this.#change(id, 'interrupt');
  }

  /** Ends the agent's process; the next message starts it again. */
  stop(id: ThreadId): Promise<Thread> {
    return this.#change(id, 'stop');
  }

  setModel(id: ThreadId, model: string): Promise<Thread> {
    return this.#change(id, 'model', { model });
  }

  setPermissionMode(id: ThreadId, permissionMode: PermissionMode): Promise<Thread> {
    return this.#change(id, 'permission-mode', { permissionMode });
  }

  rewind(id: ThreadId, checkpointUuid: string): Promise<Thread> {
    return this.#change(id, 'rewind', { checkpointUuid });
  }

  /** Removes the worktree of a thread: only a clean one, unless forced. */
  removeWorktree(id: ThreadId, options: { readonly force?: boolean } = {}): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}/worktree`, { method: 'DELETE', query: options });
  }

  #change(id: ThreadId, verb: string, body: object = {}): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}/${verb}`, { method: 'POST', body });
  }
}
