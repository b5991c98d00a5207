import type { Migration } from 'kysely';
import { base } from './migrations/0001-base.js';

/** The few places where the databases have different words for the same thing. */
export interface Dialect {
  /** A column that numbers rows as they are made. */
  readonly rowNumber: string;
  /** A column for whole numbers beyond 32 bits. */
  readonly wholeNumber: string;
  /** What follows a table that is read in the order of its key. */
  readonly clustered: string;
}

/** Every step from an empty database to the schema of this program, by name, in order. */
export function migrationsFor(dialect: Dialect): Record<string, Migration> {
  return { '0001-base': base(dialect) };
}
