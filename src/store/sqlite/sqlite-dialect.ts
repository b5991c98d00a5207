import { type RawBuilder, sql } from 'kysely';
import type { LabelFilter } from '../query.js';
import { mostPlaces, type SqlDialect } from '../sql/dialect.js';
import { matchOf } from './search-texts.js';

/** What SQLite says in its own words. */
export class SqliteDialect implements SqlDialect {
  field(column: string, name: string): RawBuilder<string | null> {
    return sql`${sql.ref(column)} ->> ${sql.lit(name)}`;
  }

  isTrue(column: string, name: string): RawBuilder<boolean> {
    return sql`${sql.ref(column)} ->> ${sql.lit(name)}`;
  }

  hasLabel({ key, value }: LabelFilter): RawBuilder<boolean> {
    const isValue = value === undefined ? sql`true` : sql`label.value = ${value}`;
    return sql`exists (select 1 from json_each(dispatches.labels) as label where label.key = ${key} and ${isValue})`;
  }

  isNamed(column: string, name: string): RawBuilder<boolean> {
    return sql`${sql.ref(column)} = ${name} collate nocase`;
  }

  endsWith(column: string, ending: string): RawBuilder<boolean> {
    return sql`substr(${sql.ref(column)}, ${-ending.length}) = ${ending}`;
  }

  placesOf(search: string): RawBuilder<unknown> {
    return sql`select rowid from search_index where search_index match ${matchOf(search)} order by rowid desc limit ${sql.lit(mostPlaces)}`;
  }

  /**
   * By itself SQLite would take the index by state, look at everything that is queued, and sort it: 1.7 ms for 1,000 rows
   * against 0.02 ms with the index that has the order. `state <> 'ended'` stands where it seems to say nothing, because
   * SQLite takes a partial index only for its own condition.
   */
  claimable({ now, limit }: { readonly now: string; readonly limit: number }) {
    return sql<{ id: string; exclusive_path: string | null }>`
      select d.id, t.exclusive_path
      from dispatches as d indexed by queued_dispatches
      join threads as t on t.id = d.thread_id
      where d.state = 'queued'
        and (d.not_before is null or d.not_before <= ${now})
        and t.terminal is null
        and not exists (
          select 1
          from dispatches as limited indexed by dispatches_waiting
          join threads as its on its.id = limited.thread_id
          where limited.waits_for is not null
            and limited.not_before > ${now}
            and limited.state = 'queued'
            and its.runtime = t.runtime
        )
        and not exists (
          select 1
          from dispatches as earlier
          where earlier.thread_id = d.thread_id
            and earlier.n < d.n
            and earlier.state <> 'ended'
        )
        and not exists (
          select 1
          from threads as other
          where other.exclusive_path = t.exclusive_path
            and other.id <> t.id
            and (
              other.terminal is not null
              or exists (select 1 from runs where runs.thread_id = other.id and runs.ended_at is null)
              or exists (
                select 1
                from dispatches as live
                where live.thread_id = other.id
                  and live.state <> 'ended'
                  and live.state = 'running'
              )
            )
        )
      order by d.priority desc, d.n
      limit ${limit}`;
  }
}
