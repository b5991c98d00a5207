import * as z from 'zod';
import { WorkerReport } from '../../protocol/api.js';
import { given } from '../../protocol/given.js';
import { ApiRoutes, json, listPartQuery, route } from '../api-routes.js';

/** The processes that own the runs. */
export const workers = new ApiRoutes();

workers.openapi(
  route({
    method: 'get',
    path: '/',
    tags: ['workers'],
    operationId: 'listWorkers',
    summary: 'List workers',
    request: { query: z.strictObject(listPartQuery) },
    responses: {
      200: json(
        z.object({ workers: z.array(WorkerReport), next: z.string().optional() }),
        'A page of the workers of this store.',
      ),
    },
  }),
  async (c) => {
    const { rows, next } = await c.env.host.workers(given(c.req.valid('query')));
    const workers = rows.map(({ id, name, startedAt, heartbeatAt }) => ({
      id,
      name,
      startedAt,
      heartbeatAt,
    }));
    return c.json({ workers, ...given({ next }) }, 200);
  },
);
