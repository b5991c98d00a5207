import * as z from 'zod';
import {
  RewindRequest,
  SetModelRequest,
  SetPermissionModeRequest,
  SetThinkingBudgetRequest,
} from '../../protocol/api.js';
import { ThreadId } from '../../protocol/id.js';
import { Thread } from '../../protocol/thread.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, route } from '../api-routes.js';

const tags: [string] = ['threads'];
const params = z.object({ id: ThreadId.describe('The thread.') });

/** What can be done to the agent of a thread, beside talking to it. */
export const threadControls = new ApiRoutes();

for (const [verb, summary] of [
  ['interrupt', 'Cancel the running turn; the agent stays'],
  ['stop', "End the agent's process; the next message starts it again"],
] as const) {
  threadControls.openapi(
    route({
      method: 'post',
      path: `/{id}/${verb}`,
      tags,
      operationId: `${verb}Thread`,
      summary,
      'x-problems': ['conflict'],
      request: { params },
      responses: { 200: json(Thread, 'The current state of the thread.') },
    }),
    async (c) =>
      c.json(await c.env.host.threads[verb](c.req.valid('param').id, actorOf(c.var.identity)), 200),
  );
}

threadControls.openapi(
  route({
    method: 'post',
    path: '/{id}/model',
    tags,
    operationId: 'setModel',
    summary: 'Change the model; recorded with who changed it',
    description: 'A model that the runtime does not know is refused, where the runtime can say so.',
    'x-problems': ['unsupported_by_runtime', 'conflict', 'unavailable'],
    request: { params, body: body(SetModelRequest) },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => {
    const { model } = c.req.valid('json');
    return c.json(
      await c.env.host.threads.setModel(c.req.valid('param').id, model, actorOf(c.var.identity)),
      200,
    );
  },
);

threadControls.openapi(
  route({
    method: 'post',
    path: '/{id}/permission-mode',
    tags,
    operationId: 'setPermissionMode',
    summary: 'Change the permission mode; recorded with who changed it',
    'x-problems': ['unsupported_by_runtime', 'conflict'],
    request: { params, body: body(SetPermissionModeRequest) },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => {
    const { permissionMode } = c.req.valid('json');
    return c.json(
      await c.env.host.threads.setPermissionMode(
        c.req.valid('param').id,
        permissionMode,
        actorOf(c.var.identity),
      ),
      200,
    );
  },
);

threadControls.openapi(
  route({
    method: 'post',
    path: '/{id}/thinking-budget',
    tags,
    operationId: 'setThinkingBudget',
    summary: 'Change how many tokens the agent may think; recorded with who changed it',
    'x-problems': ['unsupported_by_runtime', 'conflict'],
    request: { params, body: body(SetThinkingBudgetRequest) },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => {
    const { maxThinkingTokens } = c.req.valid('json');
    const actor = actorOf(c.var.identity);
    return c.json(
      await c.env.host.threads.setThinkingBudget(c.req.valid('param').id, maxThinkingTokens, actor),
      200,
    );
  },
);

threadControls.openapi(
  route({
    method: 'post',
    path: '/{id}/rewind',
    tags,
    operationId: 'rewindThread',
    summary: 'Restore the files to a checkpoint',
    description:
      'Returns when the files are restored. What could not be restored is in the `files_rewound` event.',
    'x-problems': ['unsupported_by_runtime', 'conflict', 'unavailable'],
    request: { params, body: body(RewindRequest) },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => {
    const { checkpointUuid } = c.req.valid('json');
    return c.json(
      await c.env.host.threads.rewind(c.req.valid('param').id, checkpointUuid, actorOf(c.var.identity)),
      200,
    );
  },
);

threadControls.openapi(
  route({
    method: 'delete',
    path: '/{id}/worktree',
    tags,
    operationId: 'removeWorktree',
    summary: "Remove the thread's worktree; `force` also removes one with changes",
    'x-problems': ['conflict'],
    request: {
      params,
      query: z.strictObject({
        force: z.enum(['true', 'false']).optional().describe('Remove it even if it has changes.'),
      }),
    },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => {
    const options = { force: c.req.valid('query').force === 'true', actor: actorOf(c.var.identity) };
    return c.json(await c.env.host.threads.removeWorktree(c.req.valid('param').id, options), 200);
  },
);
