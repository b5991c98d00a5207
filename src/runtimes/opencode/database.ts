import { lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type Database from 'libsql';
import type * as z from 'zod';

const waitMs = 5000;

/** Reads from what OpenCode keeps of all sessions; undefined where there is nothing of the kind. */
export async function inDatabase<Read>(
  env: Readonly<Record<string, string>>,
  read: (database: OpencodeDatabase) => Read,
): Promise<Read | undefined> {
  const file = databaseFile(env);
  // A pipe in its place would be waited for.
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const { default: Opened } = await import('libsql');
  const database = new Opened(file, { readonly: true, timeout: waitMs });
  try {
    return read(new OpencodeDatabase(database));
  } finally {
    database.close();
  }
}

/** OpenCode's sessions, messages and parts. An agent can write to it, so that every row is checked. */
export class OpencodeDatabase {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** The rows of a query that are as expected; another one is left out. */
  rows<Row>(query: string, values: readonly (string | number)[], row: z.ZodType<Row>): Row[] {
    return [...this.#found(query, values)].flatMap((each) => row.safeParse(each).data ?? []);
  }

  /** Gives one row after the other, until enough was seen. */
  eachRow(
    query: string,
    values: readonly (string | number)[],
    take: (row: unknown) => 'more' | 'enough',
  ): void {
    for (const row of this.#found(query, values)) if (take(row) === 'enough') return;
  }

  #found(query: string, values: readonly (string | number)[]): Iterable<unknown> {
    return this.#database.prepare(query).iterate(...values);
  }
}

function databaseFile(env: Readonly<Record<string, string>>): string {
  const data = join(env['XDG_DATA_HOME'] ?? join(env['HOME'] ?? '/', '.local', 'share'), 'opencode');
  const named = env['OPENCODE_DB'] ?? 'opencode.db';
  return isAbsolute(named) ? named : join(data, named);
}
