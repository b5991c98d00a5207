import * as z from 'zod';
import { ShutdownRequest } from '../../protocol/api.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, json, optionalBody, route } from '../api-routes.js';

/** The end of the worker. */
export const shutdown = new ApiRoutes();

shutdown.openapi(
  route({
    method: 'post',
    path: '/shutdown',
    tags: ['worker'],
    operationId: 'shutdown',
    summary: 'Stop the worker; agents keep running unless `stopAgents` is set',
    description:
      'With `stopAgents` it returns once every agent has ended and its open prompts are cancelled.',
    request: { body: optionalBody(ShutdownRequest) },
    responses: { 202: json(z.object({ ok: z.literal(true) }), 'The worker is stopping.') },
  }),
  async (c) => {
    const { host, outgoing, onShutdown } = c.env;
    if (c.req.valid('json').stopAgents) await host.stopAgents(actorOf(c.var.identity));
    // The caller hears of it before the server goes.
    outgoing.once('close', onShutdown);
    return c.json({ ok: true as const }, 202);
  },
);
