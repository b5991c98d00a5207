import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import { accountText } from '../../domain/dispatch/account.js';
import { threadSearchText } from '../../domain/thread/search-text.js';
import { outcomeSentence, saidAtTheEnd } from '../../domain/words/outcome-words.js';
import { WorkOrigin } from '../../protocol/changes.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import { Outcome } from '../../protocol/outcome.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { type NewThread, StoredThread } from '../stored-thread.js';
import { fromJson, toJson } from './json-column.js';
import { bytesOf, readPage, type Window } from './paging.js';
import type { Reader } from './reader.js';
import type { DispatchRow, ThreadRow } from './schema.js';
import { all, change, firstRow, type Steps } from './steps.js';
import { isAmong } from './thread-filter.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* insertThread(
  tx: Transaction,
  { thread, worker }: Operation<'insertThread'>,
): Steps<Changed> {
  if (thread.name !== undefined) yield* expectFree(tx, thread.name, thread.id);
  tx.changed({ topic: 'thread', threadId: thread.id });
  const changed = yield* change(
    tx.build.insertInto('threads').values({
      id: thread.id,
      name: thread.name ?? null,
      title: thread.title,
      runtime: thread.runtime,
      workspace: JSON.stringify(thread.workspace),
      exclusive_path: exclusivePath(thread.workspace),
      launch: JSON.stringify(thread.launch),
      account: accountOf(thread),
      budget: toJson(thread.budget),
      status: JSON.stringify(thread.status),
      created_at: thread.createdAt,
      archived_at: thread.archivedAt ?? null,
      imported_from: thread.importedFrom ?? null,
      ...tx.ownerColumns,
      ...(worker !== undefined && tx.ownerColumns.worker_id !== undefined && { worker_id: worker }),
    }),
  );
  yield* tx.addSearchText({ threadId: thread.id, seq: 0, text: threadSearchText(thread) });
  return { changed };
}

export function* patchThread(tx: Transaction, { threadId, patch }: Operation<'patchThread'>): Steps<Changed> {
  const { name, workspace, grants, origin, budget, terminal, session, snoozed } = patch;
  if (name !== undefined) yield* rename(tx, threadId, name);
  return yield* updateThread(tx, threadId, {
    ...given({ name }),
    ...(workspace ? { workspace: JSON.stringify(workspace), exclusive_path: exclusivePath(workspace) } : {}),
    ...(grants ? { grants: JSON.stringify(grants) } : {}),
    ...(origin ? { origin: JSON.stringify(origin) } : {}),
    ...(budget ? { budget: JSON.stringify(budget) } : {}),
    ...(terminal === undefined ? {} : { terminal: terminal && JSON.stringify(terminal) }),
    ...(session ? { session: JSON.stringify(session) } : {}),
    ...(snoozed === undefined ? {} : { snoozed: snoozed && JSON.stringify(snoozed) }),
  });
}

function* rename(tx: Transaction, threadId: ThreadId, name: string | null): Steps<void> {
  const thread = yield* readThread(tx, { id: threadId });
  if (!thread) throw new UnitRefused(null);
  if (name !== null) yield* expectFree(tx, name, threadId);
  yield* tx.removeSearchTexts(threadId, { from: 0, to: 0 });
  yield* tx.addSearchText({ threadId, seq: 0, text: threadSearchText({ title: thread.title, name }) });
}

/** Refuses with the thread that has the name already. */
export function* expectFree(tx: Transaction, name: string, threadId: ThreadId): Steps<void> {
  const [thread] = (yield* readThreads(tx, { name, limit: 1 })).rows;
  if (thread && thread.id !== threadId) throw new UnitRefused({ thread });
}

/** Changes columns of a thread that must be there. */
export function* updateThread(
  tx: Transaction,
  threadId: ThreadId,
  columns: Partial<ThreadColumns>,
): Steps<Changed> {
  if (Object.keys(columns).length === 0) return { changed: 0 };
  const changed = yield* change(tx.build.updateTable('threads').set(columns).where('id', '=', threadId));
  if (changed === 0) throw new UnitRefused(null);
  tx.changed({ topic: 'thread', threadId });
  return { changed };
}

export function* readThread(reader: Reader, { id }: InputOf<'thread'>): Steps<StoredThread | null> {
  const row = yield* firstRow(
    reader.build
      .selectFrom('threads')
      .selectAll()
      .where('id', '=', id)
      .$if(reader.locksRows, (query) => query.forUpdate()),
  );
  const [thread] = row ? yield* threadsOf(reader, [row]) : [];
  return thread ?? null;
}

export function* readThreads(reader: Reader, request: InputOf<'threads'>): Steps<Page<StoredThread>> {
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('threads')
      .where('n', compare, cursor)
      .where(isAmong(reader, request))
      .orderBy('n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('title', 'workspace', 'launch', 'status')),
    records: (found) => threadsOf(reader, found),
  });
}

type ThreadColumns = Omit<Selectable<ThreadRow>, 'n' | 'id'>;

/** A hash, because what tells accounts apart may be keys. */
function accountOf({ runtime, launch }: NewThread): string | null {
  const text = accountText({ runtime, posture: launch.posture });
  return text === '' ? null : createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

// A worktree is made for its thread alone, so it is nobody else's business.
function exclusivePath({ path, worktree }: Workspace): string | null {
  return worktree === true ? null : path;
}

function* threadsOf(reader: Reader, rows: readonly Selectable<ThreadRow>[]): Steps<StoredThread[]> {
  const newest = yield* newestDispatches(
    reader,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => threadOf(row, newest.get(row.id)));
}

function threadOf(row: Selectable<ThreadRow>, newest: NewestDispatch | undefined): StoredThread {
  const thread = StoredThread.parse({
    id: row.id,
    ...given({
      name: row.name ?? undefined,
      archivedAt: row.archived_at ?? undefined,
      importedFrom: row.imported_from ?? undefined,
      eventsIn: row.events_in ?? undefined,
      account: row.account ?? undefined,
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
    ...originOf(row),
    ...(row.budget === null ? {} : { budget: fromJson(row.budget) }),
    ...(row.snoozed === null ? {} : { snoozed: fromJson(row.snoozed) }),
    ...(row.terminal === null ? {} : { terminal: fromJson(row.terminal) }),
    ...(row.session === null ? {} : { session: fromJson(row.session) }),
    ...lastDispatch(newest),
  });
  const { container } = thread.launch.posture;
  if (!container) return thread;
  const { image, engine } = container;
  return { ...thread, container: { image, ...given({ engine }) } };
}

function originOf({ origin: json }: Selectable<ThreadRow>) {
  if (json === null) return {};
  const origin = WorkOrigin.parse(fromJson(json));
  return { origin, ...given({ settled: origin.settled }) };
}

type NewestDispatch = Pick<Selectable<DispatchRow>, 'id' | 'state' | 'outcome' | 'waits_for' | 'not_before'>;

function* newestDispatches(reader: Reader, threadIds: readonly string[]): Steps<Map<string, NewestDispatch>> {
  const { build } = reader;
  if (threadIds.length === 0) return new Map();
  const newest = build
    .selectFrom('threads')
    .select((its) =>
      its
        .selectFrom('dispatches as d')
        .select('d.n')
        .whereRef('d.thread_id', '=', 'threads.id')
        .orderBy('d.n', 'desc')
        .limit(1)
        .as('newest'),
    )
    .where('threads.id', 'in', threadIds);
  const rows = yield* all(
    build
      .selectFrom('dispatches')
      .select(['thread_id', 'id', 'state', 'outcome', 'waits_for', 'not_before'])
      .where('n', 'in', newest),
  );
  return new Map(rows.map((row) => [row.thread_id, row]));
}

function lastDispatch(row: NewestDispatch | undefined) {
  if (!row) return {};
  const { id, state } = row;
  const outcome = Outcome.nullable().parse(fromJson(row.outcome));
  const why = outcome ? outcomeSentence(outcome) : '';
  const waits = state === 'queued' && row.waits_for !== null && row.not_before !== null;
  return {
    lastDispatch: {
      id,
      state,
      ...given({
        result: outcome?.result,
        why: why === '' ? undefined : why,
        said: outcome ? saidAtTheEnd(outcome) : undefined,
      }),
      ...(waits && { waitsFor: row.waits_for, notBefore: row.not_before }),
    },
  };
}
