import { Health, Readiness } from '../../protocol/api.js';
import { ApiRoutes, json, route } from '../api-routes.js';

/** Whether the worker answers, and whether it can take work. */
export const health = new ApiRoutes();

health.openapi(
  route({
    method: 'get',
    path: '/healthz',
    tags: ['worker'],
    operationId: 'getHealth',
    summary: 'Check that the worker answers',
    security: [],
    responses: { 200: json(Health, 'The worker answers.') },
  }),
  (c) => c.json({ ok: true as const, version: c.env.version }, 200),
);

health.openapi(
  route({
    method: 'get',
    path: '/readyz',
    tags: ['worker'],
    operationId: 'getReadiness',
    summary: 'Check that the worker can take work: its store answers, and it does not drain',
    security: [],
    responses: {
      200: json(Readiness, 'It can take work.'),
      503: json(Readiness, 'It cannot take work now, and `why` says why.'),
    },
  }),
  async (c) => {
    const why = await c.env.host.watch.whyUnready();
    return why === null ? c.json({ ready: true }, 200) : c.json({ ready: false, why }, 503);
  },
);
