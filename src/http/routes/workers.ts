import * as z from 'zod';
import { WorkerReport } from '../../protocol/api.js';
import { json, newRoutes, route } from '../api-routes.js';

/** The processes that own the runs. */
export const workers = newRoutes();

workers.openapi(
  route({
    method: 'get',
    path: '/',
    tags: ['workers'],
    operationId: 'listWorkers',
    summary: 'List workers',
    responses: { 200: json(z.object({ workers: z.array(WorkerReport) }), 'Every worker of this store.') },
  }),
  async (c) => {
    const rows = await c.env.host.workers();
    const workers = rows.map(({ id, name, startedAt, heartbeatAt }) => ({
      id,
      name,
      startedAt,
      heartbeatAt,
    }));
    return c.json({ workers }, 200);
  },
);
