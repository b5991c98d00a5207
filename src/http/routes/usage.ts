import * as z from 'zod';
import { UsageReport } from '../../protocol/api.js';
import { given } from '../../protocol/given.js';
import { ApiRoutes, json, listPartQuery, route } from '../api-routes.js';

/** Tokens, money, processor time and memory. */
export const usage = new ApiRoutes();

usage.openapi(
  route({
    method: 'get',
    path: '/',
    tags: ['usage'],
    operationId: 'getUsage',
    summary: 'Read tokens, costs, processor time and memory by day, runtime, thread or status',
    request: {
      query: z.strictObject({
        by: z.enum(['day', 'runtime', 'thread', 'status']).default('day').describe('What to sum by.'),
        ...listPartQuery,
      }),
    },
    responses: {
      200: json(
        z.object({ usage: z.array(UsageReport), next: z.string().optional() }),
        'A page of sums. A cost that nobody knows is null, never 0. What fell into a status that was only guessed is under `unknown`.',
      ),
    },
  }),
  async (c) => {
    const { by, ...part } = c.req.valid('query');
    const { rows, next } = await c.env.host.usage(by, given(part));
    return c.json({ usage: [...rows], ...given({ next }) }, 200);
  },
);
