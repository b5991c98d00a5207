import { Failure } from '../../protocol/failure.js';
import type { SqliteConnection } from './connection.js';
import { migrationNames, newDatabase } from './new-database.js';

/** Brings the file to this program's schema; a newer file is left untouched. */
export async function migrate(connection: SqliteConnection, file: string): Promise<void> {
  if (isEmpty(connection)) {
    create(connection);
    return;
  }
  const applied = appliedMigrations(connection);
  const unknown = applied.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) {
    throw new Failure(
      'config',
      `The database ${file} was written by a newer Handraise (it has ${unknown.join(', ')}). Install that version or a later one, or choose another home.`,
    );
  }
  if (applied.length === migrationNames.length) return;
  const { runMigrations } = await import('./migrations.js');
  await runMigrations(connection.build);
}

/** Everything at once, and not step by step: fifteen steps took a fifth of the time in which a worker starts. */
function create(connection: SqliteConnection): void {
  const names = migrationNames.map((name) => `('${name}', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`);
  connection.exec(
    [
      'begin immediate',
      ...newDatabase,
      `insert into kysely_migration (name, timestamp) values ${names.join(', ')}`,
      'commit',
    ].join(';\n'),
  );
}

function isEmpty(connection: SqliteConnection): boolean {
  return connection.number('select count(*) from sqlite_master', []) === 0;
}

function appliedMigrations(connection: SqliteConnection): string[] {
  const table = `select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'`;
  if (connection.prepare(table).all([]).length === 0) return [];
  return connection
    .prepare('select name from kysely_migration order by name')
    .all([])
    .map((row) => String(Object.values(row ?? {})[0]));
}
