import { resolve } from 'node:path';
import { searchTextOf, threadSearchText } from '../../domain/thread/search-text.js';
import { Failure } from '../../protocol/failure.js';
import { databaseUrl } from '../../protocol/store-url.js';
import { migratePostgres } from '../postgres/migrate.js';
import { PostgresConnection } from '../postgres/postgres-connection.js';
import { postgresFailure } from '../postgres/postgres-failure.js';
import { readStoreUrl } from '../postgres/store-url.js';
import type { Value } from '../sql/steps.js';
import { type MovedTable, movedTables } from './moved-table.js';
import { PostgresEnd } from './postgres-end.js';
import { SqliteEnd } from './sqlite-end.js';
import type { FoundText, MovedRow, StoreEnd, TargetEnd } from './store-end.js';

// An event can be as large as what an agent said.
const rowsAtOnce = 200;

/** How many rows of a table there were, and are. */
export interface MovedCount {
  readonly table: string;
  readonly from: number;
  readonly to: number;
}

/** Where a store is: the URL of a database, or the path of a file. */
function isDatabase(place: string): boolean {
  return databaseUrl.test(place);
}

/**
 * Copies everything from one store into another that is empty, and counts it at both ends. The other one has all of it, or
 * nothing; the first stays as it is. No worker may run at either end.
 */
export async function moveStore({
  from,
  to,
}: {
  readonly from: string;
  readonly to: string;
}): Promise<readonly MovedCount[]> {
  if (from === to || (!isDatabase(from) && !isDatabase(to) && resolve(from) === resolve(to)))
    throw new Failure('usage', 'Both places are the same. Name two.');
  await using source = isDatabase(from) ? await PostgresEnd.open(from) : await SqliteEnd.openSource(from);
  await using target = isDatabase(to) ? await PostgresEnd.open(to) : await SqliteEnd.openTarget(to);
  for (const { name } of movedTables)
    if ((await countOf(target, name)) > 0)
      throw new Failure(
        'conflict',
        `${target.place} is not empty: it has ${name}. It stays as it is. Name an empty one.`,
      );
  const owner = await ownerOf(source);
  const counts: MovedCount[] = [];
  for (const table of movedTables) {
    await copy(table, { source, target, owner });
    const count = {
      table: table.name,
      from: await countOf(source, table.name),
      to: await countOf(target, table.name),
    };
    if (count.from !== count.to)
      throw new Failure(
        'internal',
        `${count.to} of ${count.from} rows of ${table.name} have arrived. Nothing was changed.`,
      );
    counts.push(count);
  }
  await target.finish();
  return counts;
}

interface Ends {
  readonly source: StoreEnd;
  readonly target: TargetEnd;
  /** Whose everything is that does not say so. */
  readonly owner: string | undefined;
}

async function copy(table: MovedTable, { source, target, owner }: Ends): Promise<void> {
  const theirs = await source.columnsOf(table.name);
  const ours = await target.columnsOf(table.name);
  const shared = theirs.filter((column) => ours.includes(column));
  // A file has one worker, and so does what is in it.
  const given =
    !theirs.includes('worker_id') && ours.includes('worker_id') ? { worker_id: owner ?? null } : {};
  let last: readonly Value[] | null = null;
  for (;;) {
    const rows = await page(table, { source, columns: shared, last });
    if (rows.length === 0) return;
    await target.insert(
      table.name,
      [...shared, ...Object.keys(given)],
      rows.map((row) => ({ ...row, ...given })),
    );
    const texts = rows.flatMap((row) => textOf(table.name, row));
    if (texts.length > 0) await target.addTexts(texts);
    const end = rows.at(-1);
    last = table.key.map((column) => end?.[column] ?? null);
  }
}

async function page(
  { name, key }: MovedTable,
  {
    source,
    columns,
    last,
  }: {
    readonly source: StoreEnd;
    readonly columns: readonly string[];
    readonly last: readonly Value[] | null;
  },
): Promise<readonly MovedRow[]> {
  const keys = key.map((column) => `"${column}"`).join(', ');
  const values = key.map((_, index) => source.placeholder(index + 1)).join(', ');
  return await source.rows(
    `select ${columns.map((column) => `"${column}"`).join(', ')} from ${name}
      ${last === null ? '' : `where (${keys}) > (${values})`} order by ${keys} limit ${rowsAtOnce}`,
    last ?? [],
  );
}

/** What of a row is searched for; number 0 is the thread itself. */
function textOf(table: string, row: MovedRow): FoundText[] {
  const found =
    table === 'threads'
      ? {
          threadId: String(row['id']),
          seq: 0,
          text: threadSearchText({
            title: String(row['title']),
            name: typeof row['name'] === 'string' ? row['name'] : null,
          }),
        }
      : table === 'events'
        ? {
            threadId: String(row['thread_id']),
            seq: Number(row['seq']),
            text: searchTextOf(String(row['type']), String(row['json'])),
          }
        : undefined;
  return found && found.text !== '' ? [found] : [];
}

/** The worker that has lived last. */
async function ownerOf(source: StoreEnd): Promise<string | undefined> {
  const [row] = await source.rows('select id from workers order by epoch desc limit 1');
  return row && String(row['id']);
}

async function countOf(end: StoreEnd, table: string): Promise<number> {
  const [row] = await end.rows(`select count(*) as count from ${table}`);
  return Number(row?.['count'] ?? 0);
}

/** Makes or upgrades the tables of a database, as whoever may; gives where that is. */
export async function upgradeTables(url: string): Promise<string> {
  const address = readStoreUrl(url);
  await using connection = await PostgresConnection.open(address);
  try {
    await migratePostgres(connection);
  } catch (error) {
    throw postgresFailure(error, address.place);
  }
  return address.place;
}
