import type { Selectable } from 'kysely';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StatusTransition } from '../status-transition.js';
import { fromJson } from './json-column.js';
import { bytesOf, readPage, type Window } from './paging.js';
import type { Reader } from './reader.js';
import type { StatusLogRow } from './schema.js';
import { change, type Steps, withoutSteps } from './steps.js';
import { updateThread } from './threads.js';
import type { Transaction } from './transaction.js';

export function* appendStatus(tx: Transaction, operation: Operation<'appendStatus'>): Steps<Changed> {
  const { threadId, at } = operation;
  const report = JSON.stringify(operation.report);
  yield* updateThread(tx, threadId, { status: report });
  tx.changed({ topic: 'status', threadId });
  const changed = yield* change(
    tx.build.insertInto('status_log').values({ thread_id: threadId, report, at }),
  );
  return { changed };
}

export function* readStatusLog(reader: Reader, request: InputOf<'statusLog'>): Steps<Page<StatusTransition>> {
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('status_log')
      .where('thread_id', '=', request.threadId)
      .where('n', compare, cursor)
      .orderBy('n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('report')),
    records: (found) => withoutSteps(found.map(transitionOf)),
  });
}

function transitionOf(row: Selectable<StatusLogRow>): StatusTransition {
  return StatusTransition.parse({ threadId: row.thread_id, report: fromJson(row.report), at: row.at });
}
