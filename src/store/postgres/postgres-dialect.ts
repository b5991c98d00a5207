import { type RawBuilder, sql } from 'kysely';
import type { LabelFilter } from '../query.js';
import { mostPlaces, type SqlDialect } from '../sql/dialect.js';
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

  byIndex(): RawBuilder<unknown> {
    return sql``;
  }

  passingOverLocked(table: string): RawBuilder<unknown> {
    return sql`for update of ${sql.ref(table)} skip locked`;
  }
}
