import * as z from 'zod';
import { given } from '../../protocol/given.js';
import { GrantList } from '../../protocol/grant.js';
import { PromptId, ThreadId } from '../../protocol/id.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, json, listPartQuery, route } from '../api-routes.js';

const tags: [string] = ['threads'];
const thread = { id: ThreadId.describe('The thread.') };

/** Approvals that hold for a whole thread. */
export const grants = new ApiRoutes();

grants.openapi(
  route({
    method: 'get',
    path: '/{id}/grants',
    tags,
    operationId: 'listGrants',
    summary: 'Read which actions were approved for the whole thread',
    request: { params: z.object(thread), query: z.strictObject(listPartQuery) },
    responses: {
      200: json(GrantList, 'A page of tools, each with the exact input that is not asked again.'),
    },
  }),
  async (c) => {
    const part = given(c.req.valid('query'));
    const { rows, next } = await c.env.host.grants.list(c.req.valid('param').id, part);
    return c.json({ grants: [...rows], ...given({ next }) }, 200);
  },
);

grants.openapi(
  route({
    method: 'delete',
    path: '/{id}/grants/{promptId}',
    tags,
    operationId: 'withdrawGrant',
    summary: 'Withdraw an approval for the whole thread; the agent has to ask again',
    request: {
      params: z.object({ ...thread, promptId: PromptId.describe('The prompt it was given with.') }),
    },
    responses: { 200: json(GrantList, 'The first page of the approvals that still hold.') },
  }),
  async (c) => {
    const { id, promptId } = c.req.valid('param');
    const { rows, next } = await c.env.host.grants.withdraw(id, promptId, actorOf(c.var.identity));
    return c.json({ grants: [...rows], ...given({ next }) }, 200);
  },
);
