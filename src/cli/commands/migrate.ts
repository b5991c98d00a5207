import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { homeFolder, loadStoreMove } from '../../compose.js';
import { Failure } from '../../protocol/failure.js';
import { databaseUrl } from '../../protocol/store-url.js';
import { writeJson, writeLine, writeMessage } from '../output.js';
import { effectiveSettings } from '../settings/effective-settings.js';

/** `handraise migrate`: moves the store between a file and PostgreSQL. */
export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .summary('copy the store from a file to PostgreSQL, or back')
    .description(
      'Copies everything from one store into another that is empty, counts the rows of both, and leaves the first as it is. The other ' +
        'one has all of it, or nothing. No worker may run at either place.',
    )
    .option('--from <place>', placeWords)
    .option('--to <place>', 'the same, and empty')
    .option(
      '--schema',
      'copy nothing: make or upgrade the tables of the database, as their owner, for workers that may not',
    )
    .option('--json', 'print how many rows of each table there were and are')
    .addHelpText('after', examples)
    .action(migrate);
}

const placeWords =
  'sqlite (the file of this home), a path, postgres (the URL of the setting store or HANDRAISE_STORE), or a URL';

const examples = `
Examples:
  $ handraise down --stop-agents
  $ HANDRAISE_STORE=postgres://handraise@db.example/handraise handraise migrate --from sqlite --to postgres
  $ handraise migrate --from postgres --to /mnt/backup/store.db
  $ HANDRAISE_STORE=postgres://handraise_owner@db.example/handraise handraise migrate --schema
`;

interface MigrateOptions {
  readonly from?: string;
  readonly to?: string;
  readonly schema?: true;
  readonly json?: true;
}

async function migrate(options: MigrateOptions): Promise<void> {
  const home = homeFolder(process.env);
  if (options.schema) return await upgrade(options, home);
  if (options.from === undefined || options.to === undefined)
    throw new Failure('usage', 'Name two places: --from PLACE --to PLACE. To upgrade tables alone: --schema');
  const from = placeOf(options.from, home);
  const to = placeOf(options.to, home);
  const [{ moveStore }, { noteMovedStore }] = await loadStoreMove();
  const counts = await moveStore({ from, to });
  noteMovedStore(home, { from, to });
  if (options.json) writeJson(counts);
  else for (const { table, from: before, to: now } of counts) writeLine(`${table}\t${before}\t${now}`);
  const rows = counts.reduce((sum, { to: now }) => sum + now, 0);
  writeMessage(
    `Copied ${rows} rows of ${counts.length} tables; the counts of both places agree. ${nextStep(to, home)}`,
  );
}

async function upgrade({ from, to, json }: MigrateOptions, home: string): Promise<void> {
  if (from !== undefined) throw new Failure('usage', '--schema copies nothing. Leave --from out.');
  const url = placeOf(to ?? 'postgres', home);
  if (!databaseUrl.test(url))
    throw new Failure('usage', '--schema is for a database. A file is upgraded when it is opened.');
  const [{ upgradeTables }] = await loadStoreMove();
  const place = await upgradeTables(url);
  if (json) writeJson({ place });
  else writeMessage(`The tables at ${place} are those of this version.`);
}

function nextStep(to: string, home: string): string {
  if (databaseUrl.test(to))
    return 'Say where the store is now, with HANDRAISE_STORE or "handraise config set store URL", and start the worker: handraise up';
  if (to === storeOf(home))
    return 'Take the setting store away ("handraise config unset store"), and start the worker: handraise up';
  return `To use it, put it into a home as store.db.`;
}

function placeOf(word: string, home: string): string {
  if (word === 'sqlite') return storeOf(home);
  if (word !== 'postgres') return databaseUrl.test(word) ? word : resolve(word);
  const { store } = effectiveSettings({ env: process.env, folder: home, flags: {} }).values;
  if (store !== undefined) return store;
  throw new Failure(
    'usage',
    'No URL of a database is set. Set HANDRAISE_STORE, or name the URL: --to postgres://user@host/database',
  );
}

function storeOf(home: string): string {
  return join(home, 'store.db');
}
