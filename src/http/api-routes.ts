import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi';
import { type Handler, Hono } from 'hono';
import { mergePath } from 'hono/utils/url';
import * as z from 'zod';
import type { FailureCode } from '../protocol/failure.js';
import { agentDoor } from './agent-door.js';
import type { ApiEnv } from './api-env.js';
import { checksOf } from './request-checks.js';
import { scopeDoor } from './scope-door.js';

/** What a route says of itself beside its shapes; the OpenAPI document is made from it. */
export interface RouteNotes {
  readonly operationId: string;
  readonly tags: [string];
  readonly summary: string;
  readonly description?: string;
  /** Refusals beyond those that every route of its shape has. */
  readonly 'x-problems'?: readonly FailureCode[];
}

/**
 * The routes of one noun. Each is checked against the shapes that it says it takes. The types are those of a library whose code
 * is not loaded: it brings a second document generator and all languages of zod, a quarter of what a worker read at its start.
 */
export class ApiRoutes extends Hono<ApiEnv> {
  /** What the routes say of themselves, with their whole paths. */
  readonly operations: RouteConfig[] = [];

  readonly openapi: OpenAPIHono<ApiEnv>['openapi'];

  constructor() {
    super();
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types say what `checksOf` makes of the request
    this.openapi = ((route: RouteConfig, handler: Handler<ApiEnv>) => {
      this.operations.push(route);
      const { middleware = [] } = route;
      this.on(route.method, [routingPath(route.path)], ...[middleware].flat(), ...checksOf(route), handler);
      return this;
    }) as never;
  }

  include(path: string, routes: ApiRoutes): void {
    this.route(path, routes);
    for (const operation of routes.operations)
      this.operations.push({ ...operation, path: mergePath(path, operation.path) });
  }
}

/** A path as the router wants it. */
export function routingPath(path: string): string {
  return path.replaceAll(/\{(.+?)\}/g, ':$1');
}

/** A route that says what it is; what it is decides who may pass. */
export function route<Path extends string, Config extends Omit<RouteConfig, 'path'> & RouteNotes>(
  config: Config & { path: Path },
) {
  return { ...config, middleware: [agentDoor(config.operationId), scopeDoor(config.operationId)] };
}

/** A JSON response. */
export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

/** A JSON body; without `required` it may be left out. */
export function body<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } } as const;
}

export function optionalBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: false, content: { 'application/json': { schema } } } as const;
}

export const largestPage = 1000;

/** The part of a list that is asked for. */
export const pageQuery = {
  cursor: z.string().min(1).max(1000).optional().describe('The `next` of the previous page.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(largestPage)
    .optional()
    .describe('The largest number of results.'),
  order: z.enum(['oldest_first', 'newest_first']).optional().describe('Order by creation time.'),
};

/** The part of a list that has one order. */
export const listPartQuery = { cursor: pageQuery.cursor, limit: pageQuery.limit };

/** The part of a list of things that have ids. */
export const listQuery = {
  ...pageQuery,
  idPrefix: z
    .string()
    .regex(/^[a-z]{3}_[0-9a-z]{0,26}$/)
    .optional()
    .describe('Only those whose id starts with this.'),
  idSuffix: z
    .string()
    .regex(/^[0-9a-z]{1,26}$/)
    .optional()
    .describe('Only those whose id ends with this.'),
};

/** The part of a thread that is asked for. */
export const partQuery = {
  after: z.coerce.number().int().min(0).optional().describe('Only what comes after this event number.'),
  limit: pageQuery.limit,
};
