import { sql } from 'kysely';
import { DispatchId, ThreadId } from '../../protocol/id.js';
import type { SessionOwner } from '../../protocol/terminal.js';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import type { SqliteConnection } from './connection.js';
import { readDispatch } from './dispatches.js';
import { readThread, updateThread } from './threads.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function openTerminal(tx: Transaction, { threadId, terminal }: Operation<'openTerminal'>): Changed {
  const thread = readThread(tx.connection, { id: threadId });
  if (!thread) throw new UnitRefused(null);
  if (thread.terminal) throw new UnitRefused({ thread });
  const work = underWay(tx.connection, threadId);
  const dispatch = work === undefined ? null : readDispatch(tx.connection, { id: work });
  if (dispatch) throw new UnitRefused({ dispatch });
  return updateThread(tx, threadId, { terminal: JSON.stringify(terminal) });
}

/** Work of the thread that has begun and not ended, or work of another thread that runs in its folder. */
function underWay(connection: SqliteConnection, threadId: ThreadId): DispatchId | undefined {
  const { build } = connection;
  const row = connection.first(
    build
      .selectFrom('dispatches')
      .innerJoin('threads', 'threads.id', 'dispatches.thread_id')
      .select('dispatches.id')
      .where('dispatches.state', '<>', 'ended')
      .where(
        sql<boolean>`(
          (thread_id = ${threadId} and state in ('running', 'waiting'))
          or (state = 'running' and exclusive_path = (select exclusive_path from threads where id = ${threadId}))
        )`,
      )
      .limit(1),
  );
  return row && DispatchId.parse(row.id);
}

export function readSessionOwners(
  connection: SqliteConnection,
  { runtime, sessionIds }: InputOf<'sessionOwners'>,
): readonly SessionOwner[] {
  return sessionIds.flatMap((sessionId) => {
    const row = connection.first(
      connection.build
        .selectFrom('threads')
        .select('id')
        .where('runtime', '=', runtime)
        .where(
          sql<boolean>`(
            exists (select 1 from runs where runs.session_id = ${sessionId} and runs.thread_id = threads.id)
            or launch ->> 'resume' = ${sessionId}
            or session ->> 'id' = ${sessionId}
          )`,
        )
        .limit(1),
    );
    return row ? [{ sessionId, threadId: ThreadId.parse(row.id) }] : [];
  });
}
