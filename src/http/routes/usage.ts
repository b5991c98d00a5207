import * as z from 'zod';
import { UsageReport } from '../../protocol/api.js';
import { given } from '../../protocol/given.js';
import { ApiRoutes, json, listPartQuery, route } from '../api-routes.js';

/** Tokens and money. */
export const usage = new ApiRoutes();

usage.openapi(
  route({
    method: 'get',
    path: '/',
    tags: ['usage'],
    operationId: 'getUsage',
    summary: 'Read tokens and costs by day, runtime or thread',
    request: {
      query: z.strictObject({
        by: z.enum(['day', 'runtime', 'thread']).default('day').describe('What to sum by.'),
        ...listPartQuery,
      }),
    },
    responses: {
      200: json(
        z.object({ usage: z.array(UsageReport), next: z.string().optional() }),
        'A page of sums. A cost that nobody knows is null, never 0.',
      ),
    },
  }),
  async (c) => {
    const { by, ...part } = c.req.valid('query');
    const { rows, next } = await c.env.host.usage(by, given(part));
    return c.json({ usage: [...rows], ...given({ next }) }, 200);
  },
);
