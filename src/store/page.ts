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
  /** Ends the page before it is larger than this; one row it always has. */
  readonly mostBytes?: number;
}

export const defaultPageSize = 100;
export const largestPageSize = 1000;
/** What a page that leaves the worker may hold: sixty events of 10 MB made a worker of 4 GB. */
export const largestPageBytes = 2 * 1024 * 1024;
