import * as z from 'zod';
import { ShutdownRequest } from '../../protocol/api.js';
import { personOnly } from '../access.js';
import { actorOf } from '../api-env.js';
import { json, newRoutes, optionalBody, route } from '../api-routes.js';

/** The end of the worker. */
export const shutdown = newRoutes();

shutdown.openapi(
  route({
    method: 'post',
    path: '/shutdown',
    tags: ['worker'],
    operationId: 'shutdown',
    summary: 'End the worker; agents go on, unless asked otherwise',
    description:
      'With `stopAgents` it returns once every agent has ended and its open prompts are cancelled.',
    middleware: personOnly,
    request: { body: optionalBody(ShutdownRequest) },
    responses: { 202: json(z.object({ ok: z.literal(true) }), 'The worker ends now.') },
  }),
  async (c) => {
    const { host, outgoing, onShutdown } = c.env;
    if (c.req.valid('json').stopAgents) await host.stopAgents(actorOf(c.var.identity));
    // The caller hears of it before the server goes.
    outgoing.once('close', onShutdown);
    return c.json({ ok: true as const }, 202);
  },
);
