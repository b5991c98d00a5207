import * as z from 'zod';
import { UsageReport } from '../../protocol/api.js';
import { json, newRoutes, route } from '../api-routes.js';

/** Tokens and money. */
export const usage = newRoutes();

usage.openapi(
  route({
    method: 'get',
    path: '/',
    tags: ['usage'],
    operationId: 'getUsage',
    summary: 'What was used, by day, runtime or thread',
    request: {
      query: z.strictObject({
        by: z.enum(['day', 'runtime', 'thread']).default('day').describe('What is added up.'),
      }),
    },
    responses: {
      200: json(z.object({ usage: z.array(UsageReport) }), 'A cost that nobody knows is null, never 0.'),
    },
  }),
  async (c) => c.json({ usage: [...(await c.env.host.usage(c.req.valid('query').by))] }, 200),
);
