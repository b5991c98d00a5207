import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { migrations, runMigrations } from '../../../src/store/sqlite/migrations.js';
import { migrationNames, newDatabase } from '../../../src/store/sqlite/new-database.js';

test('a new database is what the migrations make of an empty one; else: npm run new-database', async () => {
  const migrated = new Database(':memory:');
  await runMigrations(new Kysely({ dialect: new SqliteDialect({ database: migrated }) }));
  const made = new Database(':memory:');
  made.exec(newDatabase.join(';\n'));

  expect(migrationNames).toEqual(Object.keys(migrations));
  expect(contents(made)).toEqual(contents(migrated));
});

/** What a database consists of, by name, with its columns, and how many rows it begins with. */
function contents(database: Database.Database) {
  const parts = database.prepare('select type, name, tbl_name, sql from sqlite_master order by name').all();
  const tables = database
    .prepare("select name from sqlite_master where type = 'table' order by name")
    .pluck()
    .all()
    .map(String)
    .filter((name) => !name.startsWith('kysely_') && !name.startsWith('search_index'))
    .filter((name) => database.prepare(`select 1 from "${name}" limit 1`).all().length > 0);
  return { parts, tables };
}
