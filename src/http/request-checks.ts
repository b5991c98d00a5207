import type { RouteConfig } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { plainIssue } from '../protocol/plain-issue.js';
import type { ApiEnv } from './api-env.js';
import { HttpFailure, invalidInput } from './problem.js';

type Part = 'param' | 'query' | 'header' | 'json';

/** What checks a request against the shapes of its route, part by part, and keeps what the shapes make of it. */
export function checksOf({ request }: RouteConfig): MiddlewareHandler<ApiEnv>[] {
  const { params, query, headers, body } = request ?? {};
  const content = body?.content['application/json'];
  return [
    ...check('query', query, (c) => queryOf(c)),
    ...check('param', params, (c) => c.req.param()),
    ...check('header', headers, (c) => c.req.header()),
    ...check('json', content && 'schema' in content ? content.schema : undefined, (c) => bodyOf(c)),
  ];
}

function check(
  part: Part,
  schema: unknown,
  read: (c: Context<ApiEnv>) => unknown,
): MiddlewareHandler<ApiEnv>[] {
  if (!(schema instanceof z.ZodType)) return [];
  return [
    async (c, next) => {
      const result = await schema.safeParseAsync(await read(c), { error: bodyIssue });
      if (!result.success) throw invalidInput(part, result.error);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every part of a route is an object
      c.req.addValidatedData(part, result.data as object);
      await next();
    },
  ];
}

/** The words for people, but of JSON: whoever writes it knows what an object is. */
function bodyIssue(issue: Parameters<typeof plainIssue>[0]): string | undefined {
  return issue.code === 'invalid_type' && issue.expected === 'object' && issue.input !== undefined
    ? 'must be an object'
    : plainIssue(issue);
}

/** A name that comes once has one value, else a list. */
function queryOf(c: Context<ApiEnv>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, [first = '', ...more]]) => [
      name,
      more.length === 0 ? first : [first, ...more],
    ]),
  );
}

/** A request without a body is one with an empty object; bodies of other types do not come this far. */
async function bodyOf(c: Context<ApiEnv>): Promise<unknown> {
  if (c.req.header('content-type') === undefined) return {};
  try {
    return await c.req.json();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new HttpFailure('invalid', 'Malformed JSON in request body.', { status: 400 });
  }
}
