/** Part of a list; `next` is there while more follows. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next?: string;
}

/** Which part of a list; the cursor is the `next` of the page before. */
export interface PageRequest {
  readonly cursor?: string;
  readonly limit?: number;
  readonly order?: 'oldest_first' | 'newest_first';
}

export const defaultPageSize = 100;
export const largestPageSize = 1000;
