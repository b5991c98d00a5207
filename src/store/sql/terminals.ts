import { sql } from 'kysely';
import { DispatchId, ThreadId } from '../../protocol/id.js';
import type { SessionOwner } from '../../protocol/terminal.js';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import { readDispatch } from './dispatches.js';
import type { Reader } from './reader.js';
import { each, firstRow, type Steps } from './steps.js';
import { readThread, updateThread } from './threads.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* openTerminal(
  tx: Transaction,
  { threadId, terminal }: Operation<'openTerminal'>,
): Steps<Changed> {
  const thread = yield* readThread(tx, { id: threadId });
  if (!thread) throw new UnitRefused(null);
  if (thread.terminal) throw new UnitRefused({ thread });
  const work = yield* underWay(tx, threadId);
  const dispatch = work === undefined ? null : yield* readDispatch(tx, { id: work });
  if (dispatch) throw new UnitRefused({ dispatch });
  return yield* updateThread(tx, threadId, { terminal: JSON.stringify(terminal) });
}

/** Work of the thread that has begun and not ended, or work of another thread that runs in its folder. */
function* underWay(reader: Reader, threadId: ThreadId): Steps<DispatchId | undefined> {
  const { build } = reader;
  const row = yield* firstRow(
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

export function* readSessionOwners(
  reader: Reader,
  { runtime, sessionIds }: InputOf<'sessionOwners'>,
): Steps<readonly SessionOwner[]> {
  const owners = yield* each(sessionIds, function* (sessionId) {
    const row = yield* firstRow(
      reader.build
        .selectFrom('threads')
        .select('id')
        .where('runtime', '=', runtime)
        .where(
          sql<boolean>`(
            exists (select 1 from runs where runs.session_id = ${sessionId} and runs.thread_id = threads.id)
            or ${reader.dialect.field('launch', 'resume')} = ${sessionId}
            or ${reader.dialect.field('session', 'id')} = ${sessionId}
          )`,
        )
        .limit(1),
    );
    return row ? [{ sessionId, threadId: ThreadId.parse(row.id) }] : [];
  });
  return owners.flat();
}
