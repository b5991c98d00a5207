import { createRoute as defineRoute, OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import * as z from 'zod';
import type { FailureCode } from '../protocol/failure.js';
import type { ApiEnv } from './api-env.js';
import { invalidInput } from './problem.js';

/** The routes of one noun. */
export type ApiRoutes = OpenAPIHono<ApiEnv>;

/** What a route says of itself beside its shapes; the OpenAPI document is made from it. */
export interface RouteNotes {
  readonly operationId: string;
  readonly tags: [string];
  readonly summary: string;
  readonly description?: string;
  /** Refusals beyond those that every route of its shape has. */
  readonly 'x-problems'?: readonly FailureCode[];
}

export function newRoutes(): ApiRoutes {
  return new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (!result.success) throw invalidInput(result.target, result.error);
    },
  });
}

/** A route that says what it is. */
export function route<Path extends string, Config extends Omit<RouteConfig, 'path'> & RouteNotes>(
  config: Config & { path: Path },
) {
  return defineRoute(config);
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
  cursor: z.string().min(1).max(1000).optional().describe('The `next` of the page before.'),
  limit: z.coerce.number().int().min(1).max(largestPage).optional().describe('How many at most.'),
  order: z.enum(['oldest_first', 'newest_first']).optional().describe('By the time they were made.'),
};

/** The part of a list of things that have ids. */
export const listQuery = {
  ...pageQuery,
  idPrefix: z
    .string()
    .regex(/^[a-z]{3}_[0-9a-z]{0,26}$/)
    .optional()
    .describe('Only those whose id begins so.'),
};

/** The part of a thread that is asked for. */
export const partQuery = {
  after: z.coerce.number().int().min(0).optional().describe('Only what comes after this event.'),
  limit: pageQuery.limit,
};

/** Leaves out what is not there, which is not the same as `undefined` to whoever is asked. */
export function given<Fields extends Record<string, unknown>>(fields: Fields) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exactly the fields with a value are left
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
  } & {
    [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>;
  };
}
