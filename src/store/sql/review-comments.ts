import type { Selectable } from 'kysely';
import { ReviewComment } from '../../protocol/review-comment.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { fromJson } from './json-column.js';
import { bytesOf, readPage, type Window } from './paging.js';
import type { Reader } from './reader.js';
import type { ReviewCommentRow } from './schema.js';
import { change, firstRow, type Steps, withoutSteps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* addComment(tx: Transaction, { comment, most }: Operation<'addComment'>): Steps<Changed> {
  const { build } = tx;
  const { id, threadId, file, state } = comment;
  const thread = build.selectFrom('threads').select('id').where('id', '=', threadId);
  if (!(yield* firstRow(thread))) throw new UnitRefused(null);
  const all = yield* firstRow(
    build
      .selectFrom('review_comments')
      .select((its) => its.fn.countAll<number>().as('count'))
      .where('thread_id', '=', threadId),
  );
  if ((all?.count ?? 0) >= most) return { changed: 0 };
  const changed = yield* change(
    build
      .insertInto('review_comments')
      .values({ id, thread_id: threadId, file, state, record: JSON.stringify(comment) })
      .onConflict((conflict) => conflict.columns(['thread_id', 'id']).doNothing()),
  );
  if (changed > 0) tx.changed({ topic: 'thread', threadId });
  return { changed };
}

export function* replaceComment(tx: Transaction, { comment }: Operation<'replaceComment'>): Steps<Changed> {
  const { id, threadId, file, state } = comment;
  const changed = yield* change(
    tx.build
      .updateTable('review_comments')
      .set({ file, state, record: JSON.stringify(comment) })
      .where('thread_id', '=', threadId)
      .where('id', '=', id),
  );
  if (changed === 0) throw new UnitRefused(null);
  tx.changed({ topic: 'thread', threadId });
  return { changed };
}

export function* removeComment(
  tx: Transaction,
  { threadId, id }: Operation<'removeComment'>,
): Steps<Changed> {
  const changed = yield* change(
    tx.build.deleteFrom('review_comments').where('thread_id', '=', threadId).where('id', '=', id),
  );
  if (changed > 0) tx.changed({ topic: 'thread', threadId });
  return { changed };
}

export function* readComment(
  reader: Reader,
  { threadId, id }: InputOf<'comment'>,
): Steps<ReviewComment | null> {
  const row = yield* firstRow(
    reader.build
      .selectFrom('review_comments')
      .selectAll()
      .where('thread_id', '=', threadId)
      .where('id', '=', id),
  );
  return row ? commentOf(row) : null;
}

export function* readComments(reader: Reader, request: InputOf<'comments'>): Steps<Page<ReviewComment>> {
  const { threadId, state, file } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('review_comments')
      .where('thread_id', '=', threadId)
      .where('n', compare, cursor)
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
      .$if(file !== undefined, (query) => query.where('file', '=', file ?? ''))
      .orderBy('n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('record')),
    records: (found) => withoutSteps(found.map(commentOf)),
  });
}

function commentOf(row: Selectable<ReviewCommentRow>): ReviewComment {
  return ReviewComment.parse(fromJson(row.record));
}
