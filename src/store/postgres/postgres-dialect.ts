import { type RawBuilder, sql } from 'kysely';
import type { LabelFilter } from '../query.js';
import { mostPlaces, type SqlDialect } from '../sql/dialect.js';
import type { WorkerIdentity } from '../unit.js';
import { searchQuery } from './search-vector.js';

/** What PostgreSQL says in its own words. */
export class PostgresDialect implements SqlDialect {
  field(column: string, name: string): RawBuilder<string | null> {
    return sql`record_field(${sql.ref(column)}, ${sql.lit(name)})`;
  }

  isTrue(column: string, name: string): RawBuilder<boolean> {
    return sql`record_field(${sql.ref(column)}, ${sql.lit(name)}) = 'true'`;
  }

  hasLabel({ key, value }: LabelFilter): RawBuilder<boolean> {
    const label = sql`record_field(dispatches.labels, ${key})`;
    return value === undefined ? sql`${label} is not null` : sql`${label} = ${value}`;
  }

  isNamed(column: string, name: string): RawBuilder<boolean> {
    return sql`lower(${sql.ref(column)}) = lower(${name})`;
  }

  endsWith(column: string, ending: string): RawBuilder<boolean> {
    return sql`right(${sql.ref(column)}, ${sql.lit(ending.length)}) = ${ending}`;
  }

  placesOf(search: string): RawBuilder<unknown> {
    return sql`select n from search_texts where words @@ ${searchQuery(search)}::tsquery order by n desc limit ${sql.lit(mostPlaces)}`;
  }

  /** What another worker is just taking is passed over. A thread is worked on where its folder is. */
  claimable({ now, limit, worker }: { now: string; limit: number; worker: WorkerIdentity }) {
    return sql<{ id: string; exclusive_path: string | null }>`
      select d.id, t.exclusive_path
      from dispatches as d
      join threads as t on t.id = d.thread_id
      where d.state = 'queued'
        and (d.not_before is null or d.not_before <= ${now})
        and t.worker_id = ${worker.id}
        and t.terminal is null
        and not exists (
          select 1
          from dispatches as limited
          join threads as its on its.id = limited.thread_id
          where limited.waits_for is not null
            and limited.not_before > ${now}
            and limited.state = 'queued'
            and its.runtime = t.runtime
            and its.worker_id = t.worker_id
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
            and other.worker_id = t.worker_id
            and other.id <> t.id
            and (
              other.terminal is not null
              or exists (select 1 from runs where runs.thread_id = other.id and runs.ended_at is null)
              or exists (
                select 1 from dispatches as live where live.thread_id = other.id and live.state = 'running'
              )
            )
        )
      order by d.priority desc, d.n
      limit ${limit}
      for update of d skip locked`;
  }
}
