import { Failure } from '../../protocol/failure.js';
import { firstSchema } from './migrations/0001-base.js';
import { budgetColumns } from './migrations/0002-budgets.js';
import { pipelineTables } from './migrations/0021-pipelines.js';
import { usageStatusColumns } from './migrations/0028-usage-by-status.js';
import { snoozeColumn } from './migrations/0030-snooze.js';
import { precedentsAndRules } from './migrations/0031-precedents.js';
import { workerProfileColumns } from './migrations/0033-worker-profiles.js';
import { accountColumn } from './migrations/0037-accounts.js';
import { promptWorkColumn } from './migrations/0041-prompt-work.js';
import type { PostgresConnection } from './postgres-connection.js';
import { postgresErrorCode } from './postgres-failure.js';

/** Every step from an empty database to the schema of this program, by name, in order. */
const migrations: Readonly<Record<string, readonly string[]>> = {
  '0001-base': firstSchema,
  '0002-budgets': budgetColumns,
  '0021-pipelines': pipelineTables,
  '0028-usage-by-status': usageStatusColumns,
  '0030-snooze': snoozeColumn,
  '0031-precedents': precedentsAndRules,
  '0033-worker-profiles': workerProfileColumns,
  '0037-accounts': accountColumn,
  '0041-prompt-work': promptWorkColumn,
};

/**
 * Those that programs without them may go on beside: they add tables, columns that may be left out, and indexes that refuse
 * nothing. A migration that is not named here is for programs that know it alone (docs/decisions/0200).
 */
const additive: ReadonlySet<string> = new Set([
  '0002-budgets',
  '0021-pipelines',
  '0030-snooze',
  '0031-precedents',
  '0033-worker-profiles',
  '0037-accounts',
  '0041-prompt-work',
]);

/** What the schema of a program is made of. */
export interface KnownSchema {
  readonly migrations: Readonly<Record<string, readonly string[]>>;
  readonly additive: ReadonlySet<string>;
}

export const ownSchema: KnownSchema = { migrations, additive };

// Any number that nobody else locks in this database; for as long as it is held, other workers that start wait.
const migrationLock = 4_761_950;

/**
 * Brings the database to this program's schema, once, however many workers start. A newer one is left untouched: it is worked with if
 * it only adds to this one, else refused.
 */
export async function migratePostgres(
  connection: PostgresConnection,
  schema: KnownSchema = ownSchema,
): Promise<void> {
  // Looked at first, so that whoever may only work with the tables can.
  const before = await appliedTo(connection, schema);
  if (before && Object.keys(schema.migrations).every((name) => before.has(name))) return;
  try {
    await changeTables(connection, schema);
  } catch (error) {
    if (postgresErrorCode(error) !== '42501') throw error;
    throw new Failure(
      'no_permission',
      `The tables at ${connection.place} are ${before ? 'of an older version' : 'not there yet'}, and this user may not change that. Let their owner run once: handraise migrate --schema`,
      { cause: error },
    );
  }
}

/** Refuses a schema that this program cannot work with; until the transaction has ended, nobody changes it. */
export async function expectKnownSchema(
  connection: PostgresConnection,
  schema: KnownSchema = ownSchema,
): Promise<void> {
  await connection.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  await appliedTo(connection, schema);
}

/** The migrations that a database has; undefined where it has no tables of ours, and one that is too new is refused. */
async function appliedTo(
  connection: PostgresConnection,
  { migrations: known }: KnownSchema,
): Promise<ReadonlySet<string> | undefined> {
  const found = await connection.query("select to_regclass('handraise_migrations') is not null as there");
  if (Object(found.rows[0]).there !== true) return undefined;
  // The column is not there before a program that knows it has changed something.
  const { rows } = await connection.query(
    "select name, to_jsonb(m) ->> 'additive' as additive from handraise_migrations m",
  );
  const applied = rows.map((row) => ({
    name: String(Object(row).name),
    isAdditive: Object(row).additive === 'true',
  }));
  const unknown = applied.filter(({ name, isAdditive }) => !(name in known) && !isAdditive);
  if (unknown.length > 0)
    throw new Failure(
      'config',
      `The database at ${connection.place} was changed by a newer Handraise in a way that this version cannot work with (${unknown
        .map(({ name }) => name)
        .toSorted()
        .join(', ')}). Install that version or a later one, or choose another database.`,
    );
  return new Set(applied.map(({ name }) => name));
}

async function changeTables(connection: PostgresConnection, schema: KnownSchema): Promise<void> {
  await connection.transaction(async () => {
    await connection.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await connection.query(
      'create table if not exists handraise_migrations (name text primary key, at timestamptz not null default now())',
    );
    // A program from before there was this column adds migrations without it, and says nothing about them.
    await connection.query(
      'alter table handraise_migrations add column if not exists additive boolean not null default false',
    );
    const applied = (await appliedTo(connection, schema)) ?? new Set();
    const pending = Object.entries(schema.migrations).filter(([name]) => !applied.has(name));
    if (applied.size > 0 && pending.some(([name]) => !schema.additive.has(name))) await endOthers(connection);
    for (const [name, statements] of pending) {
      for (const statement of statements) await connection.query(statement);
      await connection.query('insert into handraise_migrations (name, additive) values ($1, $2 = 1)', [
        name,
        schema.additive.has(name) ? 1 : 0,
      ]);
    }
  });
}

/**
 * Before a change that older programs cannot work with: none may be connected, and one that is cut off and comes back
 * finds that its life is over, as if it had been started twice.
 */
async function endOthers(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name = 'handraise' and pid <> pg_backend_pid()`,
  );
  if (rows.length > 0)
    throw new Failure(
      'config',
      `The database at ${connection.place} has to be changed in a way that older versions cannot work with, and other workers use it. Stop them (handraise down), start this one, and then the others with the same version.`,
    );
  await connection.query('update workers set epoch = epoch + 1');
}
