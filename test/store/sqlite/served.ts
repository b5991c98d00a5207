import { statSync } from 'node:fs';
import { expect } from 'vitest';
import type { ThreadId } from '../../../src/protocol/id.js';
import type { Operation } from '../../../src/store/operation.js';
import type { SqliteConnection } from '../../../src/store/sqlite/connection.js';
import { GroupCommit } from '../../../src/store/sqlite/group-commit.js';
import type { StoreReply, StoreRequest } from '../../../src/store/sqlite/message.js';
import { openDatabase } from '../../../src/store/sqlite/open-database.js';
import { RequestServer } from '../../../src/store/sqlite/request-server.js';
import { at, id, newThread } from '../../contract/store/records.js';

// A page of the database, with what the log says of it.
const pageBytes = 4096 + 24;

/** An event with words in it. */
export function said(threadId: ThreadId, message: string): Operation {
  const json = JSON.stringify({ type: 'notice', message, timestamp: at(1) });
  return { do: 'appendEvents', threadId, events: [{ type: 'notice', timestamp: at(1), json }] };
}

/** A request that searches for nothing. */
export const listing: StoreRequest = { kind: 'query', id: 1, query: { ask: 'threads', input: {} } };

export function searching(search: string): StoreRequest {
  return { kind: 'query', id: 1, query: { ask: 'threads', input: { search } } };
}

/** What the store's thread is made of, in this one, with a clock that the test moves. */
export class Served {
  /** What is to be done after a while. */
  later: (() => void)[] = [];
  readonly #file: string;
  readonly #connection: SqliteConnection;
  readonly #server: RequestServer;
  readonly #replies: StoreReply[] = [];

  private constructor(file: string, { connection, worker }: Awaited<ReturnType<typeof openDatabase>>) {
    this.#file = file;
    this.#connection = connection;
    this.#server = new RequestServer({
      connection,
      group: new GroupCommit(connection, worker),
      file,
      receive: () => [],
      send: (replies) => this.#replies.push(...replies),
      later: (task) => this.later.push(task),
    });
  }

  static async open(file: string): Promise<Served> {
    const worker = { id: id('worker'), name: 'here', startedAt: at(0) };
    return new Served(file, await openDatabase({ file, worker }));
  }

  /** The time passes after which something was to be done. */
  pass(): void {
    const tasks = this.later;
    this.later = [];
    for (const task of tasks) task();
  }

  ask(request: StoreRequest): StoreReply | undefined {
    this.#server.serve([request]);
    return this.#replies.at(-1);
  }

  commit(operations: readonly Operation[]): StoreReply | undefined {
    return this.ask({ kind: 'commit', id: 1, unit: { operations } });
  }

  newThread(title: string, name?: string): ThreadId {
    const thread = newThread({ title, ...(name !== undefined && { name }) });
    this.commit([{ do: 'insertThread', thread }]);
    return thread.id;
  }

  say(threadId: ThreadId, message: string): void {
    this.commit([said(threadId, message)]);
  }

  found(search: string): readonly string[] {
    const reply = this.ask(searching(search));
    const answer = (reply?.kind === 'answer' ? reply.answer : undefined) as { rows: { id: string }[] };
    return answer.rows.map((thread) => thread.id);
  }

  /** Whether the file may grow. */
  limit(to: 'full' | 'room'): void {
    const most = to === 'full' ? Number(this.#texts('pragma page_count')[0]) : 1_000_000;
    this.#connection.exec(`pragma max_page_count = ${most}`);
  }

  /** How many pages are written to the log meanwhile. */
  pagesOf(written: () => void): number {
    const bytes = () => statSync(`${this.#file}-wal`).size;
    const before = bytes();
    written();
    return (bytes() - before) / pageBytes;
  }

  /** What is in the index, in the order of its rows, and which threads are behind. */
  tables() {
    const texts = this.#texts("select thread_id || ' ' || seq from search_texts order by n");
    const words = this.#texts('select rowid from search_index');
    expect(words).toHaveLength(texts.length);
    return { texts, backlog: this.#texts('select thread_id from search_backlog order by thread_id') };
  }

  #texts(sql: string): string[] {
    return this.#connection
      .prepare(sql)
      .all([])
      .map((row) => String(Object.values(row ?? {})[0]));
  }
}
