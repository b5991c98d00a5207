import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { Failure } from '../protocol/failure.js';
import type { ApiEnv } from './api-env.js';
import { loginPage } from './login-page.js';

/** The pages beside the API: the console, or the little page that signs a browser in. They hold no secret. */
export function pages(console: string | undefined): Hono<ApiEnv> {
  const pages = new Hono<ApiEnv>();
  if (console === undefined) {
    for (const [path, { type, text }] of Object.entries(loginPage)) {
      pages.get(path, (c) => c.body(text, 200, { 'content-type': type, 'cache-control': 'no-cache' }));
    }
  } else {
    pages.get('*', serveStatic({ root: console }));
    // A place inside the console is the console's to find; a missing file is missing.
    pages.get(':place{[^.]+}', serveStatic({ root: console, path: 'index.html' }));
  }
  pages.all('*', () => {
    throw new Failure('not_found', 'There is no such page.');
  });
  return pages;
}
