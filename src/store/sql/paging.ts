import { type Compilable, type OrderByDirection, type RawBuilder, sql } from 'kysely';
import { Failure } from '../../protocol/failure.js';
import { defaultPageSize, largestPageSize, type Page, type PageRequest } from '../page.js';
import type { IdPart, LabelFilter } from '../query.js';
import type { Reader } from './reader.js';
import { all, type Steps } from './steps.js';

/** Which rows of a numbered table a page looks at. */
export interface Window {
  readonly compare: '>' | '<';
  readonly cursor: number;
  readonly direction: OrderByDirection & ('asc' | 'desc');
  readonly limit: number;
}

/** How many rows a list gives at most. */
export function pageSize(limit: number | undefined): number {
  return Math.max(1, Math.min(limit ?? defaultPageSize, largestPageSize));
}

/**
 * One page of a numbered table; it looks at one row more than it gives, to know whether another page follows.
 * Where bytes count, the sizes are read first: they stand at the head of a row, so that what is too large is never read.
 */
export function* readPage<Row extends { n: number }, Record>(
  request: PageRequest,
  table: {
    readonly select: (window: Window) => Compilable<Row>;
    readonly sizes: (window: Window) => Compilable<RowSize>;
    readonly records: (rows: readonly Row[]) => Steps<Record[]>;
  },
): Steps<Page<Record>> {
  const { mostBytes } = request;
  const asked = pageSize(request.limit);
  const place = window(request);
  const size =
    mostBytes === undefined
      ? asked
      : Math.min(asked, rowsWithin(yield* all(table.sizes({ ...place, limit: asked })), mostBytes));
  const rows = yield* all(table.select({ ...place, limit: size === asked ? size + 1 : size }));
  const last = rows.length > size || size < asked ? rows[size - 1] : undefined;
  const records = yield* table.records(rows.slice(0, size));
  return { rows: records, ...(last ? { next: String(last.n) } : {}) };
}

/** How much a row holds. */
export interface RowSize {
  readonly bytes: number;
}

/** The size of these columns of a row. */
export function bytesOf(...columns: readonly string[]) {
  const sizes = columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
  return sql<number>`${sql.join(sizes, sql` + `)}`.as('bytes');
}

/** How many of these rows fit; one always does. Without a row that is too many, all that were asked for do. */
export function rowsWithin(sizes: readonly RowSize[], mostBytes: number): number {
  let sum = 0;
  const tooMany = sizes.findIndex(({ bytes }, index) => {
    sum += bytes;
    return sum > mostBytes && index > 0;
  });
  return tooMany === -1 ? Number.POSITIVE_INFINITY : tooMany;
}

function window({ cursor, order }: PageRequest): Omit<Window, 'limit'> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
    throw new Failure('invalid', 'The cursor is not one that a list gave.');
  }
  return order === 'newest_first'
    ? { compare: '<', cursor: Number(cursor ?? Number.MAX_SAFE_INTEGER), direction: 'desc' }
    : { compare: '>', cursor: Number(cursor ?? 0), direction: 'asc' };
}

/** Whether a row's id begins and ends so; a beginning is a range that an index can walk: `~` sorts after every character of an id. */
export function idHas({ dialect }: Reader, { idPrefix, idSuffix }: IdPart): RawBuilder<boolean> {
  const conditions = [
    ...(idPrefix === undefined ? [] : [sql`id >= ${idPrefix} and id < ${`${idPrefix}~`}`]),
    ...(idSuffix === undefined ? [] : [dialect.endsWith('id', idSuffix)]),
  ];
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** Whether a row of `dispatches` has all of these labels. */
export function hasLabels({ dialect }: Reader, labels: readonly LabelFilter[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(
    labels.map((label) => dialect.hasLabel(label)),
    sql` and `,
  )}`;
}
