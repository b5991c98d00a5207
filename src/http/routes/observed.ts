import * as z from 'zod';
import { ObservedId, ObservedList, ObservedReport, ObservedSession } from '../../protocol/observed.js';
import { ApiRoutes, body, json, route } from '../api-routes.js';

const params = z.object({ id: ObservedId.describe('The observed session.') });
const tags: [string] = ['observed'];

/** Agents that somebody started by hand, and what they do. */
export const observed = new ApiRoutes();

observed.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'listObserved',
    summary: 'List agents that were started by hand, and what they do',
    description:
      "Sessions of the runtimes' own programs on the worker's machine, and those that an observer tells of. A status of `weak` confidence is a guess. They have no thread and no costs here; a session becomes a thread when it is adopted.",
    responses: { 200: json(ObservedList, 'Those that changed last come first.') },
  }),
  (c) => c.json({ sessions: [...c.env.host.observed.list()] }, 200),
);

observed.openapi(
  route({
    method: 'put',
    path: '/{id}',
    tags,
    operationId: 'reportObserved',
    summary: 'Say what an agent does that is observed elsewhere',
    description:
      'For observers, such as `handraise observe --pipe`. Say it again at least every 20 seconds; who falls silent is forgotten.',
    'x-problems': ['conflict'],
    request: { params, body: body(ObservedReport) },
    responses: { 200: json(ObservedSession, 'As it is shown from now on.') },
  }),
  (c) => c.json(c.env.host.observed.report(c.req.valid('param').id, c.req.valid('json')), 200),
);

observed.openapi(
  route({
    method: 'delete',
    path: '/{id}',
    tags,
    operationId: 'forgetObserved',
    summary: 'Take back what an observer said',
    request: { params },
    responses: { 204: { description: 'It is not shown any more.' } },
  }),
  (c) => {
    c.env.host.observed.forget(c.req.valid('param').id);
    return c.body(null, 204);
  },
);
