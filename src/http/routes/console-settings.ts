import { ConsoleSettings } from '../../protocol/api.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, json, route } from '../api-routes.js';

/** What the web console needs to know of its worker. */
export const consoleSettings = new ApiRoutes();

consoleSettings.openapi(
  route({
    method: 'get',
    path: '/console-settings',
    tags: ['worker'],
    operationId: 'getConsoleSettings',
    summary:
      'Read whose name the caller answers in, and for how long answers of the web console can be undone',
    responses: { 200: json(ConsoleSettings, 'The settings of the web console.') },
  }),
  (c) => c.json({ actor: actorOf(c.var.identity), undoSeconds: c.env.undoSeconds }, 200),
);
