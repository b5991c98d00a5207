import type { RawBuilder } from 'kysely';
import type { LabelFilter } from '../query.js';
import type { Statement, Value } from './steps.js';

/** A row with what is new in it, by column. */
export interface ChangedRow {
  readonly id: string;
  readonly columns: Readonly<Record<string, Value>>;
}

/** What the databases do not say in the same words. */
export interface SqlDialect {
  /** A field of a column that holds JSON, as text; null where there is none. */
  field(column: string, name: string): RawBuilder<string | null>;
  /** Whether a field of a column that holds JSON is true. */
  isTrue(column: string, name: string): RawBuilder<boolean>;
  /** Whether a row of `dispatches` has a label; compared as a value, never as a path that somebody typed. */
  hasLabel(label: LabelFilter): RawBuilder<boolean>;
  /** Whether two names are the same in large and small letters. */
  isNamed(column: string, name: string): RawBuilder<boolean>;
  /** Whether a text ends so. */
  endsWith(column: string, ending: string): RawBuilder<boolean>;
  /** The newest rows of `search_texts`, by number, in which the words of a search stand. */
  placesOf(search: string): RawBuilder<unknown>;
  /** Has a table read by an index that the database would not choose by itself; nothing where it chooses well. */
  byIndex(name: string): RawBuilder<unknown>;
  /** Locks the rows that a query finds in a table, without those that another worker is just taking. */
  passingOverLocked(table: string): RawBuilder<unknown>;
  /** Whether a column is among the values of a query that is run once, whatever it locks. */
  isAmong(column: string, query: RawBuilder<unknown>): RawBuilder<boolean>;
  /** Reads whole dispatches by their ids, and locks them where others write too. */
  rowsById(ids: readonly string[]): readonly Statement[];
  /** Gives dispatches new values, each its own. */
  changedRows(rows: readonly ChangedRow[]): readonly Statement[];
}

// A word that stands everywhere would be followed through everything that was ever said.
/** How many places of a search are looked at. */
export const mostPlaces = 20_000;
