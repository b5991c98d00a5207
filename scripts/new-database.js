// Writes src/store/sqlite/new-database.ts: what all migrations make of an empty database, so that a new home needs none of them.
// `npm run new-database`, after a migration was added; a test says when it is due.
import { writeFileSync } from 'node:fs';
import { Kysely, SqliteDialect } from 'kysely';
import Database from 'libsql';
import { migrations, runMigrations } from '../dist/store/sqlite/migrations.js';

const file = new URL('../src/store/sqlite/new-database.ts', import.meta.url);
const database = new Database(':memory:');
await runMigrations(new Kysely({ dialect: new SqliteDialect({ database }) }));

writeFileSync(
  file,
  `// Made by scripts/new-database.js from the migrations.

/** The migrations that such a database has, in order. */
export const migrationNames: readonly string[] = [
${Object.keys(migrations)
  .map((name) => `  '${name}',\n`)
  .join('')}];

/** What the migrations make of an empty database. */
export const newDatabase: readonly string[] = [
${statements(database)
  .map((sql) => `  ${literal(sql)},\n`)
  .join('')}];
`,
);

/** Every statement that the database was made with; what SQLite makes by itself, for indexes and searches, is left out. @param {Database.Database} from */
function statements(from) {
  const rows = /** @type {{ name: string, sql: string }[]} */ (
    from
      .prepare(
        "select name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid",
      )
      .all()
  );
  const virtual = rows.filter(({ sql }) => /^create virtual table/i.test(sql)).map(({ name }) => name);
  const isShadow = (/** @type {string} */ name) => virtual.some((table) => name.startsWith(`${table}_`));
  return rows.filter(({ name }) => !isShadow(name)).map(({ sql }) => sql);
}

/** @param {string} sql */
function literal(sql) {
  return sql.includes('\n') || sql.includes("'")
    ? `\`${sql.replaceAll(/[\\`$]/g, String.raw`\$&`)}\``
    : `'${sql.replaceAll('\\', String.raw`\\`)}'`;
}
