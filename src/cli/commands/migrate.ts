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
    .requiredOption('--from <place>', placeWords)
    .requiredOption('--to <place>', 'the same, and empty')
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
`;

interface MigrateOptions {
  readonly from: string;
  readonly to: string;
  readonly json?: true;
}

async function migrate(options: MigrateOptions): Promise<void> {
  const home = homeFolder(process.env);
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
