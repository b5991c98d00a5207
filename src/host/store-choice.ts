import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProcess } from '../process/families/process-table.js';
import { errnoOf } from '../process/files/errno.js';
import { Failure } from '../protocol/failure.js';
import { ProcessIdentity } from '../protocol/run.js';
import { databaseUrl } from '../protocol/store-url.js';

/** What a home is to remember of where its work is kept. */
interface StoreChoice {
  /** Once the store is open. */
  keep(): void;
}

/**
 * Work that is kept in a database would seem lost to a worker that was started without its URL, and a second worker of one
 * home would take the first one's agents. With a file the lock on it says so; a database has many workers.
 */
export function expectSameStore(home: string, url: string | undefined): StoreChoice {
  const file = placeFile(home);
  if (url === undefined) {
    const place = read(file)?.trim();
    if (place !== undefined)
      throw new Failure(
        'config',
        `The work of ${home} is kept in PostgreSQL (${place}). Give its URL with --store, HANDRAISE_STORE or "handraise config set store URL". To begin anew in a file, remove ${file}.`,
      );
    return { keep: () => {} };
  }
  expectNoHolder(home);
  return { keep: () => rememberStore(home, url) };
}

/** The store of a home was moved: a worker that is started without the URL would begin with what was left behind. */
export function noteMovedStore(
  home: string,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const own = join(home, 'store.db');
  if (from === own && databaseUrl.test(to)) rememberStore(home, to);
  if (to === own) forgetStore(home);
}

/** From now on the work of a home is kept in this database. */
function rememberStore(home: string, url: string): void {
  writeFileSync(placeFile(home), `${withoutLogin(url)}\n`, { mode: 0o600 });
}

/** From now on the work of a home is kept in its file again. */
function forgetStore(home: string): void {
  rmSync(placeFile(home), { force: true });
}

function placeFile(home: string): string {
  return join(home, 'store-place');
}

function expectNoHolder(home: string): void {
  const text = read(join(home, 'holder.json'));
  const holder = text === undefined ? undefined : ProcessIdentity.safeParse(JSON.parse(text));
  if (holder?.success && holder.data.pid !== process.pid && findProcess(holder.data))
    throw new Failure(
      'home_busy',
      `Another worker (process ${holder.data.pid}) holds ${home}. Stop it with "handraise down", or give this one a home of its own.`,
    );
}

/** Host and database. */
function withoutLogin(url: string): string {
  return url.replace(/^[a-z]+:\/\/(.*@)?/s, '').replace(/\?.*/s, '');
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
