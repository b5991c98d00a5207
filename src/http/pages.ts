import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { deleteCookie, getCookie } from 'hono/cookie';
import { Failure } from '../protocol/failure.js';
import type { ApiEnv } from './api-env.js';

// Signed browsers in before; a cookie goes to every port of a machine, so none counts any more.
const oldCookie = 'handraise_session';

// The name of such a file changes with its content.
const forEver = 'public, max-age=31536000, immutable';

/** The pages beside the API: the console, from its folder. They hold no secret. */
export function pages(console: string): Hono<ApiEnv> {
  const pages = new Hono<ApiEnv>();
  pages.use(async (c, next) => {
    await next();
    if (getCookie(c, oldCookie) !== undefined) deleteCookie(c, oldCookie, { path: '/' });
  });
  // Compressed when they were built, for whoever takes them so.
  const files = { root: console, precompressed: true };
  pages.get(
    '/assets/*',
    serveStatic({ ...files, onFound: (_path, c) => c.header('cache-control', forEver) }),
  );
  pages.get('*', serveStatic({ ...files, onFound: (_path, c) => c.header('cache-control', 'no-cache') }));
  // A place inside the console is the console's to find; a missing file is missing.
  pages.get(
    ':place{[^.]+}',
    serveStatic({
      ...files,
      path: 'index.html',
      onFound: (_path, c) => c.header('cache-control', 'no-cache'),
    }),
  );
  pages.all('*', () => {
    throw new Failure('not_found', 'This page does not exist.');
  });
  return pages;
}
