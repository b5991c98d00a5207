import * as z from 'zod';
import { Dispatch, DispatchEdit, DispatchRequest } from '../../protocol/dispatch.js';
import { given } from '../../protocol/given.js';
import { DispatchId, ThreadId } from '../../protocol/id.js';
import { standingFilter, WorkStanding } from '../../protocol/thread-query.js';
import { callersOf } from '../access.js';
import { giverOf, keyFrom, workFrom } from '../agent-scope.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, listQuery, route } from '../api-routes.js';
import { labelQuery, labelsOf } from '../label-query.js';

const tags: [string] = ['dispatches'];
const params = z.object({ id: DispatchId.describe('The dispatch.') });
const longestWaitSeconds = 300;

/** Work: asked for, looked at, waited for, changed, cancelled, repeated. */
export const dispatches = new ApiRoutes();

dispatches.openapi(
  route({
    method: 'post',
    path: '/',
    tags,
    operationId: 'submitDispatch',
    summary: 'Give work to an agent',
    description:
      'The work is stored when this returns, and starts as soon as a slot is free. With an Idempotency-Key the same request can be sent again safely.',
    'x-problems': [
      'conflict',
      'unsupported_by_runtime',
      'missing_file',
      'no_permission',
      'config',
      'not_installed',
      'not_ready',
    ],
    request: {
      headers: z.object({
        'idempotency-key': z
          .string()
          .regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
          .optional()
          .describe('The same key with the same body returns the same dispatch.'),
      }),
      body: body(DispatchRequest),
    },
    responses: {
      201: json(Dispatch, 'The new dispatch.'),
      200: json(Dispatch, 'The dispatch that an earlier request with this key created.'),
    },
  }),
  async (c) => {
    const request = workFrom(c.var.identity, c.req.valid('json'));
    const key = keyFrom(c.var.identity, c.req.valid('header')['idempotency-key']);
    const { dispatch, isNew } = await c.env.host.dispatches.submit(request, {
      actor: actorOf(c.var.identity),
      ...given({ idempotencyKey: key }),
      ...(c.var.identity.scope === 'agent' && { callers: callersOf(c) }),
    });
    c.header('location', `/api/v1/dispatches/${dispatch.id}`);
    return isNew ? c.json(dispatch, 201) : c.json(dispatch, 200);
  },
);

dispatches.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'listDispatches',
    summary: 'List dispatches',
    request: {
      query: z.strictObject({
        ...listQuery,
        state: WorkStanding.optional().describe('Only those in this state, or that ended so.'),
        thread: ThreadId.optional().describe('Only those of this thread.'),
        parent: DispatchId.optional().describe('Only those that the agent of this dispatch asked for.'),
        mine: z
          .enum(['true', 'false'])
          .optional()
          .describe('Only those that were given with the token of this request.'),
        ...labelQuery,
      }),
    },
    responses: {
      200: json(
        z.object({ dispatches: z.array(Dispatch), next: z.string().optional() }),
        'A page of dispatches.',
      ),
    },
  }),
  async (c) => {
    const { thread, state, label, mine, ...rest } = c.req.valid('query');
    const { rows, next } = await c.env.host.dispatches.list({
      ...given({ ...rest, threadId: thread }),
      ...(state !== undefined && standingFilter(state)),
      ...labelsOf(label),
      ...(mine === 'true' && { by: giverOf(c.var.identity) }),
    });
    return c.json({ dispatches: [...rows], ...given({ next }) }, 200);
  },
);

dispatches.openapi(
  route({
    method: 'get',
    path: '/{id}',
    tags,
    operationId: 'getDispatch',
    summary: 'Read a dispatch, or wait until it ends',
    request: {
      params,
      query: z.strictObject({
        wait: z.coerce
          .number()
          .min(0)
          .max(longestWaitSeconds)
          .optional()
          .describe('Seconds to wait; returns as soon as the dispatch has ended.'),
      }),
    },
    responses: { 200: json(Dispatch, 'The current state of the dispatch.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { wait = 0 } = c.req.valid('query');
    const { host, closing } = c.env;
    if (wait === 0) return c.json(await host.dispatches.get(id), 200);
    const signal = AbortSignal.any([AbortSignal.timeout(wait * 1000), c.req.raw.signal, closing]);
    return c.json(await host.dispatches.ended(id, signal), 200);
  },
);

dispatches.openapi(
  route({
    method: 'patch',
    path: '/{id}',
    tags,
    operationId: 'editDispatch',
    summary: 'Change work that has not begun',
    description: 'Only while it is queued and nobody has tried it; afterwards it is a conflict.',
    'x-problems': ['conflict'],
    request: { params, body: body(DispatchEdit) },
    responses: { 200: json(Dispatch, 'The dispatch as it waits now.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const edit = c.req.valid('json');
    return c.json(await c.env.host.dispatches.edit(id, edit, actorOf(c.var.identity)), 200);
  },
);

dispatches.openapi(
  route({
    method: 'post',
    path: '/{id}/cancel',
    tags,
    operationId: 'cancelDispatch',
    summary: 'Cancel a dispatch',
    'x-problems': ['conflict'],
    request: { params },
    responses: { 200: json(Dispatch, 'The dispatch, which ends as cancelled.') },
  }),
  async (c) =>
    c.json(await c.env.host.dispatches.cancel(c.req.valid('param').id, actorOf(c.var.identity)), 200),
);

dispatches.openapi(
  route({
    method: 'post',
    path: '/{id}/retry',
    tags,
    operationId: 'retryDispatch',
    summary: 'Start the same work again',
    'x-problems': ['conflict'],
    request: { params },
    responses: { 201: json(Dispatch, 'A new dispatch that names the old one as `retryOf`.') },
  }),
  async (c) => {
    const dispatch = await c.env.host.dispatches.retry(c.req.valid('param').id, actorOf(c.var.identity));
    c.header('location', `/api/v1/dispatches/${dispatch.id}`);
    return c.json(dispatch, 201);
  },
);
