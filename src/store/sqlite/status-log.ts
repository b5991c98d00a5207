import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StatusTransition } from '../status-transition.js';
import type { SqliteConnection } from './connection.js';
import { fromJson } from './json-column.js';
import { bytesOf, readPage, type Window } from './paging.js';
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

export function readStatusLog(
  connection: SqliteConnection,
  request: InputOf<'statusLog'>,
): Page<StatusTransition> {
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    connection.build
      .selectFrom('status_log')
      .where('thread_id', '=', request.threadId)
      .where('n', compare, cursor)
      .orderBy('n', direction)
      .limit(limit);
  return readPage(connection, request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('report')),
    record: (row) =>
      StatusTransition.parse({ threadId: row.thread_id, report: fromJson(row.report), at: row.at }),
  });
}
