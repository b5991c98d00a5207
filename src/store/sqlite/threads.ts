import type { Selectable } from 'kysely';
import { threadSearchText } from '../../domain/thread/search-text.js';
import { outcomeSentence } from '../../domain/words/outcome-words.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import { Outcome } from '../../protocol/outcome.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StoredThread } from '../stored-thread.js';
import type { SqliteConnection } from './connection.js';
import { fromJson } from './json-column.js';
import { bytesOf, readPage, type Window } from './paging.js';
import type { ThreadRow } from './schema.js';
import { isAmong } from './thread-filter.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function insertThread(tx: Transaction, { thread }: Operation<'insertThread'>): Changed {
  if (thread.name !== undefined) expectFree(tx, thread.name, thread.id);
  tx.changed({ topic: 'thread', threadId: thread.id });
  tx.searchTexts.add({ threadId: thread.id, seq: 0, text: threadSearchText(thread) });
  const changed = tx.connection.run(
    tx.build.insertInto('threads').values({
      id: thread.id,
      name: thread.name ?? null,
      title: thread.title,
      runtime: thread.runtime,
      workspace: JSON.stringify(thread.workspace),
      exclusive_path: exclusivePath(thread.workspace),
      launch: JSON.stringify(thread.launch),
      status: JSON.stringify(thread.status),
      created_at: thread.createdAt,
      archived_at: thread.archivedAt ?? null,
      imported_from: thread.importedFrom ?? null,
    }),
  );
  return { changed };
}

export function patchThread(tx: Transaction, { threadId, patch }: Operation<'patchThread'>): Changed {
  const { name, workspace, grants, origin, terminal, session } = patch;
  if (name !== undefined) rename(tx, threadId, name);
  return updateThread(tx, threadId, {
    ...given({ name }),
    ...(workspace ? { workspace: JSON.stringify(workspace), exclusive_path: exclusivePath(workspace) } : {}),
    ...(grants ? { grants: JSON.stringify(grants) } : {}),
    ...(origin ? { origin: JSON.stringify(origin) } : {}),
    ...(terminal === undefined ? {} : { terminal: terminal && JSON.stringify(terminal) }),
    ...(session ? { session: JSON.stringify(session) } : {}),
  });
}

function rename(tx: Transaction, threadId: ThreadId, name: string | null): void {
  const thread = readThread(tx.connection, { id: threadId });
  if (!thread) throw new UnitRefused(null);
  if (name !== null) expectFree(tx, name, threadId);
  tx.searchTexts.remove(threadId, { from: 0, to: 0 });
  tx.searchTexts.add({ threadId, seq: 0, text: threadSearchText({ title: thread.title, name }) });
}

/** Refuses with the thread that has the name already. */
export function expectFree({ connection }: Transaction, name: string, threadId: ThreadId): void {
  const [thread] = readThreads(connection, { name, limit: 1 }).rows;
  if (thread && thread.id !== threadId) throw new UnitRefused({ thread });
}

/** Changes columns of a thread that must be there. */
export function updateThread(tx: Transaction, threadId: ThreadId, columns: Partial<ThreadColumns>): Changed {
  if (Object.keys(columns).length === 0) return { changed: 0 };
  const changed = tx.connection.run(tx.build.updateTable('threads').set(columns).where('id', '=', threadId));
  if (changed === 0) throw new UnitRefused(null);
  tx.changed({ topic: 'thread', threadId });
  return { changed };
}

export function readThread(connection: SqliteConnection, { id }: InputOf<'thread'>): StoredThread | null {
  const row = connection.first(connection.build.selectFrom('threads').selectAll().where('id', '=', id));
  return row ? threadOf(connection, row) : null;
}

export function readThreads(connection: SqliteConnection, request: InputOf<'threads'>): Page<StoredThread> {
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    connection.build
      .selectFrom('threads')
      .where('n', compare, cursor)
      .where(isAmong(request))
      .orderBy('n', direction)
      .limit(limit);
  return readPage(connection, request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('title', 'workspace', 'launch', 'status')),
    record: (row) => threadOf(connection, row),
  });
}

type ThreadColumns = Omit<Selectable<ThreadRow>, 'n' | 'id'>;

// A worktree is made for its thread alone, so it is nobody else's business.
function exclusivePath({ path, worktree }: Workspace): string | null {
  return worktree === true ? null : path;
}

function threadOf(connection: SqliteConnection, row: Selectable<ThreadRow>): StoredThread {
  return StoredThread.parse({
    id: row.id,
    ...given({
      name: row.name ?? undefined,
      archivedAt: row.archived_at ?? undefined,
      importedFrom: row.imported_from ?? undefined,
      eventsIn: row.events_in ?? undefined,
    }),
    title: row.title,
    runtime: row.runtime,
    workspace: fromJson(row.workspace),
    status: fromJson(row.status),
    lastSeq: row.last_seq,
    usage: { inputTokens: row.input_tokens, outputTokens: row.output_tokens, costUsd: row.cost_usd },
    createdAt: row.created_at,
    launch: fromJson(row.launch),
    grants: fromJson(row.grants),
    ...(row.origin === null ? {} : { origin: fromJson(row.origin) }),
    ...(row.terminal === null ? {} : { terminal: fromJson(row.terminal) }),
    ...(row.session === null ? {} : { session: fromJson(row.session) }),
    ...lastDispatch(connection, row.id),
  });
}

function lastDispatch(connection: SqliteConnection, threadId: string) {
  const row = connection.first(
    connection.build
      .selectFrom('dispatches')
      .select(['id', 'state', 'outcome', 'waits_for', 'not_before'])
      .where('thread_id', '=', threadId)
      .orderBy('n', 'desc')
      .limit(1),
  );
  if (!row) return {};
  const { id, state } = row;
  const outcome = Outcome.nullable().parse(fromJson(row.outcome));
  const why = outcome ? outcomeSentence(outcome) : '';
  const waits = state === 'queued' && row.waits_for !== null && row.not_before !== null;
  return {
    lastDispatch: {
      id,
      state,
      ...given({ result: outcome?.result, why: why === '' ? undefined : why }),
      ...(waits && { waitsFor: row.waits_for, notBefore: row.not_before }),
    },
  };
}
