import { sql } from 'kysely';
import { ThreadId } from '../../protocol/id.js';
import type { InputOf, SearchHit } from '../query.js';
import type { Reader } from './reader.js';
import { all, type Steps } from './steps.js';

export function* readSearchHits(reader: Reader, query: InputOf<'searchHits'>): Steps<SearchHit[]> {
  const { search, threadIds } = query;
  if (threadIds.length === 0) return [];
  const rows = yield* all(
    reader.build
      .selectFrom('search_texts')
      .select((its) => ['thread_id', its.fn.max('seq').as('seq')])
      .where('thread_id', 'in', [...threadIds])
      .where(sql<boolean>`n in (${reader.dialect.placesOf(search)})`)
      .groupBy('thread_id')
      .orderBy('thread_id'),
  );
  return rows.map(({ thread_id, seq }) => ({ threadId: ThreadId.parse(thread_id), seq }));
}
