import * as z from 'zod';
import type { WorkerView } from '../../host/workers/worker-directory.js';
import { WorkerReport } from '../../protocol/api.js';
import { given } from '../../protocol/given.js';
import { ApiRoutes, body, json, listPartQuery, route } from '../api-routes.js';

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
    return c.json({ workers: rows.map(reportOf), ...given({ next }) }, 200);
  },
);

workers.openapi(
  route({
    method: 'put',
    path: '/{id}/draining',
    tags: ['workers'],
    operationId: 'drainWorker',
    summary: 'Let a worker take no new work, or take work again',
    description:
      'By its name or id, at any worker of the store. What runs there ends there; what rests and can be had elsewhere is handed over.',
    'x-problems': ['not_found'],
    request: {
      params: z.object({ id: z.string().min(1).max(100) }),
      body: body(z.strictObject({ draining: z.boolean() })),
    },
    responses: { 200: json(WorkerReport, 'The worker.') },
  }),
  async (c) => {
    const { draining } = c.req.valid('json');
    return c.json(reportOf(await c.env.host.drainWorker(c.req.valid('param').id, draining)), 200);
  },
);

function reportOf({
  id,
  name,
  startedAt,
  heartbeatAt,
  profile,
  underWay,
  drainingSince,
}: WorkerView): WorkerReport {
  return {
    id,
    name,
    startedAt,
    heartbeatAt,
    underWay,
    ...given({ labels: profile?.labels, slots: profile?.slots, drainingSince }),
  };
}
