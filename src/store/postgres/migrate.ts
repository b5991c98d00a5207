import { Failure } from '../../protocol/failure.js';
import { firstSchema } from './migrations/0001-base.js';
import { budgetColumns } from './migrations/0002-budgets.js';
import { pipelineTables } from './migrations/0021-pipelines.js';
import { usageStatusColumns } from './migrations/0028-usage-by-status.js';
import { snoozeColumn } from './migrations/0030-snooze.js';
import { precedentsAndRules } from './migrations/0031-precedents.js';
import { workerProfileColumns } from './migrations/0033-worker-profiles.js';
import type { PostgresConnection } from './postgres-connection.js';

/** Every step from an empty database to the schema of this program, by name, in order. */
const migrations: Readonly<Record<string, readonly string[]>> = {
  '0001-base': firstSchema,
  '0002-budgets': budgetColumns,
  '0021-pipelines': pipelineTables,
  '0028-usage-by-status': usageStatusColumns,
  '0030-snooze': snoozeColumn,
  '0031-precedents': precedentsAndRules,
  '0033-worker-profiles': workerProfileColumns,
};

// Any number that nobody else locks in this database; for as long as it is held, other workers that start wait.
const migrationLock = 4_761_950;

/** Brings the database to this program's schema, once, however many workers start; a newer one is left untouched. */
export async function migratePostgres(connection: PostgresConnection): Promise<void> {
  await connection.transaction(async () => {
    await connection.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await connection.query(
      'create table if not exists handraise_migrations (name text primary key, at timestamptz not null default now())',
    );
    const { rows } = await connection.query('select name from handraise_migrations');
    const applied = new Set(rows.map((row) => String(Object(row).name)));
    const unknown = [...applied].filter((name) => !(name in migrations)).toSorted();
    if (unknown.length > 0)
      throw new Failure(
        'config',
        `The database at ${connection.place} was written by a newer Handraise (it has ${unknown.join(', ')}). Install that version or a later one, or choose another database.`,
      );
    for (const [name, statements] of Object.entries(migrations)) {
      if (applied.has(name)) continue;
      for (const statement of statements) await connection.query(statement);
      await connection.query('insert into handraise_migrations (name) values ($1)', [name]);
    }
  });
}
