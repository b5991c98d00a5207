import { type RawBuilder, sql } from 'kysely';
import { ThreadId } from '../../protocol/id.js';
import type { InputOf, SearchHit } from '../query.js';
import type { SqliteConnection } from './connection.js';
import { matchOf } from './search-texts.js';

// A word that stands everywhere would be followed through everything that was ever said.
const mostPlaces = 20_000;

/** The newest rows of the index in which the words stand. */
export function placesOf(search: string): RawBuilder<{ rowid: number }> {
  return sql`select rowid from search_index where search_index match ${matchOf(search)} order by rowid desc limit ${sql.lit(mostPlaces)}`;
}

export function readSearchHits(connection: SqliteConnection, query: InputOf<'searchHits'>): SearchHit[] {
  const { search, threadIds } = query;
  if (threadIds.length === 0) return [];
  return connection
    .all(
      connection.build
        .selectFrom('search_texts')
        .select((its) => ['thread_id', its.fn.max('seq').as('seq')])
        .where('thread_id', 'in', [...threadIds])
        .where(sql<boolean>`n in (${placesOf(search)})`)
        .groupBy('thread_id'),
    )
    .map(({ thread_id, seq }) => ({ threadId: ThreadId.parse(thread_id), seq }));
}
