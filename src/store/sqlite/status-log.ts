import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StatusTransition } from '../status-transition.js';
import type { Connection } from './connection.js';
import { fromJson } from './json-column.js';
import { readPage } from './paging.js';
import { updateThread } from './threads.js';
import type { Transaction } from './transaction.js';

export function appendStatus(tx: Transaction, operation: Operation<'appendStatus'>): Changed {
  const { threadId, at } = operation;
  const report = JSON.stringify(operation.report);
  updateThread(tx, threadId, { status: report });
  tx.changed({ topic: 'status', threadId });
  const changed = tx.connection.run(
    tx.build.insertInto('status_log').values({ thread_id: threadId, report, at }),
  );
  return { changed };
}

export function readStatusLog(connection: Connection, request: InputOf<'statusLog'>): Page<StatusTransition> {
  return readPage(connection, request, {
    select: ({ compare, cursor, direction, limit }) =>
      connection.build
        .selectFrom('status_log')
        .selectAll()
        .where('thread_id', '=', request.threadId)
        .where('n', compare, cursor)
        .orderBy('n', direction)
        .limit(limit),
    record: (row) =>
      StatusTransition.parse({ threadId: row.thread_id, report: fromJson(row.report), at: row.at }),
  });
}
