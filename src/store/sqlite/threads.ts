import type { Selectable } from 'kysely';
import type { ThreadId } from '../../protocol/id.js';
import { Outcome } from '../../protocol/outcome.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf, LastSeq } from '../query.js';
import type { ThreadRow } from '../schema.js';
import { StoredThread } from '../stored-thread.js';
import type { Connection } from './connection.js';
import { fromJson } from './json-column.js';
import { prefixRange, readPage } from './paging.js';
import { Refused } from './refused.js';
import type { Transaction } from './transaction.js';

export function insertThread(tx: Transaction, { thread }: Operation<'insertThread'>): Changed {
  tx.changed({ topic: 'thread', threadId: thread.id });
  const changed = tx.connection.run(
    tx.build.insertInto('threads').values({
      id: thread.id,
      title: thread.title,
      runtime: thread.runtime,
      workspace: JSON.stringify(thread.workspace),
      exclusive_path: exclusivePath(thread.workspace),
      launch: JSON.stringify(thread.launch),
      status: JSON.stringify(thread.status),
      created_at: thread.createdAt,
    }),
  );
  return { changed };
}

export function patchThread(tx: Transaction, { threadId, patch }: Operation<'patchThread'>): Changed {
  const { title, workspace } = patch;
  return updateThread(tx, threadId, {
    ...(title === undefined ? {} : { title }),
    ...(workspace ? { workspace: JSON.stringify(workspace), exclusive_path: exclusivePath(workspace) } : {}),
  });
}

/** Changes columns of a thread that must be there. */
export function updateThread(tx: Transaction, threadId: ThreadId, columns: Partial<ThreadColumns>): Changed {
  if (Object.keys(columns).length === 0) return { changed: 0 };
  const changed = tx.connection.run(tx.build.updateTable('threads').set(columns).where('id', '=', threadId));
  if (changed === 0) throw new Refused(null);
  tx.changed({ topic: 'thread', threadId });
  return { changed };
}

export function readThread(connection: Connection, { id }: InputOf<'thread'>): StoredThread | null {
  const row = connection.first(connection.build.selectFrom('threads').selectAll().where('id', '=', id));
  return row ? threadOf(connection, row) : null;
}

export function readThreads(connection: Connection, request: InputOf<'threads'>): Page<StoredThread> {
  const { idPrefix } = request;
  const { from, to } = prefixRange(idPrefix);
  return readPage(connection, request, {
    select: ({ compare, cursor, direction, limit }) =>
      connection.build
        .selectFrom('threads')
        .selectAll()
        .where('n', compare, cursor)
        .$if(idPrefix !== undefined, (query) => query.where('id', '>=', from).where('id', '<', to))
        .orderBy('n', direction)
        .limit(limit),
    record: (row) => threadOf(connection, row),
  });
}

export function readLastSeqs(connection: Connection, { threadIds }: InputOf<'lastSeqs'>): LastSeq[] {
  const { build } = connection;
  return threadIds.flatMap((threadId) =>
    connection
      .all(build.selectFrom('threads').select('last_seq').where('id', '=', threadId))
      .map((row) => ({ threadId, lastSeq: row.last_seq })),
  );
}

type ThreadColumns = Omit<Selectable<ThreadRow>, 'n' | 'id'>;

// A worktree is made for its thread alone, so it is nobody else's business.
function exclusivePath({ path, worktree }: Workspace): string | null {
  return worktree === true ? null : path;
}

function threadOf(connection: Connection, row: Selectable<ThreadRow>): StoredThread {
  return StoredThread.parse({
    id: row.id,
    title: row.title,
    runtime: row.runtime,
    workspace: fromJson(row.workspace),
    status: fromJson(row.status),
    lastSeq: row.last_seq,
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens, costUsd: row.cost_usd },
    createdAt: row.created_at,
    launch: fromJson(row.launch),
    ...lastDispatch(connection, row.id),
  });
}

function lastDispatch(connection: Connection, threadId: string) {
  const row = connection.first(
    connection.build
      .selectFrom('dispatches')
      .select(['id', 'state', 'outcome'])
      .where('thread_id', '=', threadId)
      .orderBy('n', 'desc')
      .limit(1),
  );
  if (!row) return {};
  const { id, state } = row;
  const outcome = Outcome.nullable().parse(fromJson(row.outcome));
  return { lastDispatch: { id, state, ...(outcome ? { result: outcome.result } : {}) } };
}
