import type { Compilable } from 'kysely';

/** What a database takes in place of a placeholder. */
export type Value = string | number | null | readonly (string | number | null)[];

/** A statement on its way to a database; `wants` says whether its rows matter or only how many it changed. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Value[];
  readonly wants: 'rows' | 'count';
  /** Reads or writes rows that `DispatchRows` keeps. */
  readonly isOfRows?: true;
}

/** What a database said to a statement. */
export interface StatementReply {
  readonly rows: readonly unknown[];
  readonly changed: number;
}

/**
 * Work on a database, statement by statement. It is written once and driven by each store in its own way: SQLite answers
 * at once, inside of a thread that must not be interrupted, and PostgreSQL over a network.
 */
export type Steps<Result> = Generator<Statement, Result, StatementReply>;

/** Runs a query for its rows. */
export function* all<Row>(query: Compilable<Row>): Steps<Row[]> {
  const { sql, parameters } = query.compile();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our columns are text, numbers and nulls
  const reply = yield { sql, parameters: parameters as readonly Value[], wants: 'rows' };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row's type is kysely's, from our schema
  return reply.rows as Row[];
}

/** Runs a query for its first row. */
export function* firstRow<Row>(query: Compilable<Row>): Steps<Row | undefined> {
  const rows = yield* all(query);
  return rows[0];
}

/** Runs a query for its effect and tells how many rows it changed. */
export function* change(query: Compilable): Steps<number> {
  const { sql, parameters } = query.compile();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our columns are text, numbers and nulls
  const reply = yield { sql, parameters: parameters as readonly Value[], wants: 'count' };
  return reply.changed;
}

/** Does all of a list, one after the other. */
export function* each<Item, Result>(
  items: readonly Item[],
  step: (item: Item) => Steps<Result>,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(yield* step(item));
  return results;
}

/** What needs no step, or was done already. */
// oxlint-disable-next-line require-yield -- that is its point
export function* withoutSteps<Result>(result: Result): Steps<Result> {
  return result;
}
