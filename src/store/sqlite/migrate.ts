import { type MigrationProvider, Migrator } from 'kysely';
import { Failure } from '../../protocol/failure.js';
import type { SqliteConnection } from './connection.js';
import { migrations } from './migrations.js';

/** Brings the file to this program's schema; a newer file is left untouched. */
export async function migrate(connection: SqliteConnection, file: string): Promise<void> {
  const unknown = appliedMigrations(connection).filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    throw new Failure(
      'config',
      `The database ${file} was written by a newer Handraise (it has ${unknown.join(', ')}). Install that version or a later one, or choose another home.`,
    );
  }
  const provider: MigrationProvider = { getMigrations: () => Promise.resolve({ ...migrations }) };
  const { error } = await new Migrator({ db: connection.build, provider }).migrateToLatest();
  if (error) throw error;
}

function appliedMigrations(connection: SqliteConnection): string[] {
  const table = `select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'`;
  if (connection.prepare(table).all([]).length === 0) return [];
  return connection
    .prepare('select name from kysely_migration order by name')
    .all([])
    .map((row) => String(Object.values(row ?? {})[0]));
}
