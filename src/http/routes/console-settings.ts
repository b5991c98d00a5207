import { ConsoleSettings } from '../../protocol/api.js';
import { given } from '../../protocol/given.js';
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
      'Read whose name the caller answers in, for how long answers of the web console can be undone, and the usual container',
    responses: { 200: json(ConsoleSettings, 'The settings of the web console.') },
  }),
  (c) => {
    const { undoSeconds, container } = c.env;
    const { identity } = c.var;
    return c.json(
      { actor: actorOf(identity), may: [...identity.may], undoSeconds, ...given({ container }) },
      200,
    );
  },
);
