import * as z from 'zod';
import { RuntimeReport } from '../../protocol/api.js';
import { ApiRoutes, json, route } from '../api-routes.js';

/** Kinds of agent. */
export const runtimes = new ApiRoutes();

runtimes.openapi(
  route({
    method: 'get',
    path: '/',
    tags: ['runtimes'],
    operationId: 'listRuntimes',
    summary: "List the runtimes on the worker's machine and what they can do",
    responses: {
      200: json(z.object({ runtimes: z.array(RuntimeReport) }), 'Every runtime that Handraise knows.'),
    },
  }),
  async (c) => c.json({ runtimes: [...(await c.env.host.runtimes())] }, 200),
);
