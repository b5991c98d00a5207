import { Health } from '../../protocol/api.js';
import { ApiRoutes, json, route } from '../api-routes.js';

/** Whether the worker answers. */
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
