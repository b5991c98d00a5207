import * as z from 'zod';
import { Posted, StatusStep, ThreadDiff, ThreadRequest } from '../../protocol/api.js';
import { ThreadId } from '../../protocol/id.js';
import { UserItem } from '../../protocol/item.js';
import { Thread } from '../../protocol/thread.js';
import { ThreadItem } from '../../protocol/thread-item.js';
import { itemFrom, refuseAutonomy } from '../agent-scope.js';
import { actorOf } from '../api-env.js';
import { body, given, json, listQuery, newRoutes, pageQuery, partQuery, route } from '../api-routes.js';
import { withSettledPrompt } from '../settled-prompt.js';

const tags: [string] = ['threads'];
const params = z.object({ id: ThreadId.describe('The thread.') });

/** Conversations with agents: made, read, written to. */
export const threads = newRoutes();

threads.openapi(
  route({
    method: 'post',
    path: '/',
    tags,
    operationId: 'createThread',
    summary: 'Make a thread without work, or adopt a session of the runtime',
    'x-problems': ['conflict', 'unsupported_by_runtime', 'missing_file'],
    request: { body: body(ThreadRequest) },
    responses: { 201: json(Thread, 'The new thread.') },
  }),
  async (c) => {
    const request = c.req.valid('json');
    refuseAutonomy(c.var.identity, request);
    const thread = await c.env.host.threads.create(request, actorOf(c.var.identity));
    c.header('location', `/api/v1/threads/${thread.id}`);
    return c.json(thread, 201);
  },
);

threads.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'listThreads',
    summary: 'List threads',
    request: { query: z.strictObject(listQuery) },
    responses: {
      200: json(z.object({ threads: z.array(Thread), next: z.string().optional() }), 'A page of them.'),
    },
  }),
  async (c) => {
    const { rows, next } = await c.env.host.threads.list(given(c.req.valid('query')));
    return c.json({ threads: [...rows], ...given({ next }) }, 200);
  },
);

threads.openapi(
  route({
    method: 'get',
    path: '/{id}',
    tags,
    operationId: 'getThread',
    summary: 'Look at a thread',
    request: { params },
    responses: { 200: json(Thread, 'The thread as it stands.') },
  }),
  async (c) => c.json(await c.env.host.threads.get(c.req.valid('param').id), 200),
);

threads.openapi(
  route({
    method: 'get',
    path: '/{id}/items',
    tags,
    operationId: 'listItems',
    summary: 'Read a thread as a person sees it',
    request: { params, query: z.strictObject(partQuery) },
    responses: {
      200: json(
        z.object({ items: z.array(ThreadItem), next: z.int().optional() }),
        'Items, oldest first; `next` is the `after` of the next part.',
      ),
    },
  }),
  async (c) => {
    const part = given(c.req.valid('query'));
    const { items, next } = await c.env.host.threads.items(c.req.valid('param').id, part);
    return c.json({ items: [...items], ...given({ next }) }, 200);
  },
);

threads.openapi(
  route({
    method: 'post',
    path: '/{id}/items',
    tags,
    operationId: 'postItem',
    summary: 'Write into a thread: a message, or the answer to its prompt',
    description:
      'While the thread asks, the next item is the answer, unless `metadata.queue` says otherwise. If several prompts are open, send `seenSeq` or name the prompt.',
    'x-problems': ['prompt_settled', 'prompt_ambiguous', 'not_deliverable', 'unsupported_by_runtime'],
    request: { params, body: body(UserItem) },
    responses: { 201: json(Posted, 'The item and what became of it.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { host } = c.env;
    const item = itemFrom(c.var.identity, c.req.valid('json'));
    const posted = await withSettledPrompt(host.prompts, item.metadata?.prompt?.prompt_id, () =>
      host.threads.post(id, item, actorOf(c.var.identity)),
    );
    return c.json(posted, 201);
  },
);

threads.openapi(
  route({
    method: 'get',
    path: '/{id}/status-log',
    tags,
    operationId: 'getStatusLog',
    summary: 'Every status of a thread, with why',
    request: { params, query: z.strictObject(pageQuery) },
    responses: {
      200: json(
        z.object({ transitions: z.array(StatusStep), next: z.string().optional() }),
        'A page of them.',
      ),
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { rows, next } = await c.env.host.threads.statusLog(id, given(c.req.valid('query')));
    return c.json({ transitions: [...rows], ...given({ next }) }, 200);
  },
);

threads.openapi(
  route({
    method: 'get',
    path: '/{id}/diff',
    tags,
    operationId: 'getDiff',
    summary: "What the thread's workspace holds that its base does not",
    'x-problems': ['missing_file', 'conflict'],
    request: { params },
    responses: { 200: json(ThreadDiff, 'The files and the patch.') },
  }),
  async (c) => c.json(await c.env.host.threads.diff(c.req.valid('param').id), 200),
);
