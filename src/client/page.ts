import * as z from 'zod';
import { given } from '../protocol/given.js';

/** Which part of a list; the cursor is the `next` of the part before. */
export interface PageQuery {
  readonly cursor?: string;
  readonly limit?: number;
  readonly order?: 'oldest_first' | 'newest_first';
}

/** A part of a list of things that have ids. */
export interface ListQuery extends PageQuery {
  /** Only those whose id begins so. */
  readonly idPrefix?: string;
  /** Only those whose id ends so. */
  readonly idSuffix?: string;
}

/** There while more of a list follows. */
export const next = z.string().optional();

export const mostPerPage = 1000;

/** Every page of a list, one after the other. */
export async function* everyPage<Body extends { readonly next?: string | undefined }>(
  read: (query: PageQuery) => Promise<Body>,
): AsyncGenerator<Body> {
  let cursor: string | undefined;
  do {
    const page = await read({ limit: mostPerPage, ...given({ cursor }) });
    yield page;
    cursor = page.next;
  } while (cursor !== undefined);
}
