import { type RawBuilder, sql } from 'kysely';
import type { LabelFilter } from '../query.js';
import { type ChangedRow, mostPlaces, type SqlDialect } from '../sql/dialect.js';
import type { Statement, Value } from '../sql/steps.js';
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

  // An array is made once; a list may be made again for every row that it is compared with, and locks others each time.
  isAmong(column: string, query: RawBuilder<unknown>): RawBuilder<boolean> {
    return sql`${sql.ref(column)} = any(array(${query}))`;
  }

  rowsById(ids: readonly string[]): readonly Statement[] {
    return [
      {
        sql: 'select * from dispatches where id = any($1::text[]) order by id for update',
        parameters: [ids],
        wants: 'rows',
      },
    ];
  }

  /** Those that change in the same columns in one statement. */
  changedRows(rows: readonly ChangedRow[]): readonly Statement[] {
    return [...new Set(rows.map(shapeOf))].map((shape) => {
      const alike = rows.filter((row) => shapeOf(row) === shape);
      const columns = shape.split(' ');
      const lists = columns.map((column, index) => `$${index + 2}::${typeOf(column)}[]`);
      return {
        sql: `
          update dispatches as its
          set ${columns.map((column) => `"${column}" = new."${column}"`).join(', ')}
          from unnest($1::text[], ${lists.join(', ')})
            as new (id, ${columns.map((column) => `"${column}"`).join(', ')})
          where its.id = new.id`,
        parameters: [
          alike.map(({ id }) => id),
          ...columns.map((column) => alike.map((row) => scalar(row.columns[column]))),
        ],
        wants: 'count',
      };
    });
  }
}

function shapeOf({ columns }: ChangedRow): string {
  return Object.keys(columns).join(' ');
}

const numbers = new Set(['priority', 'lease_epoch', 'lease_worker_epoch']);

function typeOf(column: string): 'integer' | 'text' {
  return numbers.has(column) ? 'integer' : 'text';
}

/** No column of a dispatch is a list. */
function scalar(value: Value | undefined): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
