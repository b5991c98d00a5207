import { type RawBuilder, sql } from 'kysely';

/** Adds a cost to a column: one that nobody knows adds nothing, and does not make the known part unknown. */
export function knownSum(column: string, costUsd: number | null): RawBuilder<number | null> {
  return sql`coalesce(${sql.ref(column)} + ${costUsd}, ${sql.ref(column)}, ${costUsd})`;
}
