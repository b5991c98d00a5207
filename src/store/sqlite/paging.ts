import type { Compilable, OrderByDirection } from 'kysely';
import { Failure } from '../../protocol/failure.js';
import { defaultPageSize, largestPageSize, type Page, type PageRequest } from '../page.js';
import type { Connection } from './connection.js';

/** Which rows of a numbered table a page looks at. */
interface Window {
  readonly compare: '>' | '<';
  readonly cursor: number;
  readonly direction: OrderByDirection & ('asc' | 'desc');
  readonly limit: number;
}

/** How many rows a list gives at most. */
export function pageSize(limit: number | undefined): number {
  return Math.max(1, Math.min(limit ?? defaultPageSize, largestPageSize));
}

/** One page of a numbered table; it asks for one row more than it gives, to know whether another page follows. */
export function readPage<Row extends { n: number }, Record>(
  connection: Connection,
  request: PageRequest,
  table: {
    readonly select: (window: Window) => Compilable<Row>;
    readonly record: (row: Row) => Record;
  },
): Page<Record> {
  const size = pageSize(request.limit);
  const rows = connection.all(table.select({ ...window(request), limit: size + 1 }));
  const last = rows.length > size ? rows[size - 1] : undefined;
  return { rows: rows.slice(0, size).map(table.record), ...(last ? { next: String(last.n) } : {}) };
}

function window({ cursor, order }: PageRequest): Omit<Window, 'limit'> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
    throw new Failure('invalid', 'The cursor is not one that a list gave.');
  }
  return order === 'newest_first'
    ? { compare: '<', cursor: Number(cursor ?? Number.MAX_SAFE_INTEGER), direction: 'desc' }
    : { compare: '>', cursor: Number(cursor ?? 0), direction: 'asc' };
}

/** The ids that begin with a prefix, as a range that an index can walk; `~` sorts after every character of an id. */
export function prefixRange(prefix: string | undefined): { readonly from: string; readonly to: string } {
  return { from: prefix ?? '', to: `${prefix ?? ''}~` };
}
