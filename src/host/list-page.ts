import { Failure } from '../protocol/failure.js';
import { largestPageBytes, largestPageSize, type Page, type PageRequest } from '../store/page.js';

/** Which part of a list that is in memory, or is read row by row. */
export type ListPart = Pick<PageRequest, 'cursor' | 'limit'>;

/** A page of rows that are known by key; what a row shows is read only when the page has room for it. */
export async function listPage<Row, Shown>(
  rows: readonly Row[],
  {
    cursor,
    limit = largestPageSize,
    keyOf,
    show,
  }: ListPart & {
    readonly keyOf: (row: Row) => string;
    /** What is shown of it; null for a row that is left out. */
    readonly show: (row: Row) => Shown | null | Promise<Shown | null>;
  },
): Promise<Page<Shown>> {
  const before = cursor === undefined ? -1 : rows.findIndex((row) => keyOf(row) === cursor);
  if (cursor !== undefined && before < 0)
    throw new Failure('invalid', 'The list has no such `cursor` any more. Read it again from its beginning.');
  const page: Shown[] = [];
  let bytes = 0;
  for (let index = before + 1; index < rows.length; index += 1) {
    const row = rows[index];
    const shown = row === undefined ? null : await show(row);
    if (shown === null) continue;
    bytes += Buffer.byteLength(JSON.stringify(shown));
    const last = rows[index - 1];
    // One row is always there, however large it is.
    if (page.length > 0 && last !== undefined && (page.length >= limit || bytes > largestPageBytes))
      return { rows: page, next: keyOf(last) };
    page.push(shown);
  }
  return { rows: page };
}
