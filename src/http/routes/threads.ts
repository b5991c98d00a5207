import * as z from 'zod';
import { longestSearch } from '../../domain/thread/search-words.js';
import {
  Posted,
  SnoozeRequest,
  StatusStep,
  ThreadDiff,
  ThreadEdit,
  ThreadRequest,
} from '../../protocol/api.js';
import { ChangedFileLines, ChangePage, mostLinesAtOnce } from '../../protocol/changes.js';
import { given } from '../../protocol/given.js';
import { ThreadId } from '../../protocol/id.js';
import { UserItem } from '../../protocol/item.js';
import { RuntimeName } from '../../protocol/posture.js';
import { Thread } from '../../protocol/thread.js';
import { ThreadItem } from '../../protocol/thread-item.js';
import { ThreadName } from '../../protocol/thread-name.js';
import { standingFilter, ThreadMatch, WorkStanding } from '../../protocol/thread-query.js';
import { largestOutputPart, ToolOutputPart } from '../../protocol/tool-output.js';
import { itemFrom, landingFrom } from '../agent-scope.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, listQuery, pageQuery, partQuery, route } from '../api-routes.js';
import { labelQuery, labelsOf } from '../label-query.js';
import { withSettledPrompt } from '../settled-prompt.js';

const tags: [string] = ['threads'];
const params = z.object({ id: ThreadId.describe('The thread.') });

const threadQuery = z.strictObject({
  ...listQuery,
  name: ThreadName.optional().describe('Only the one with this name; large and small letters are the same.'),
  runtime: RuntimeName.optional().describe('Only those of this runtime.'),
  workspace: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Only those whose work was asked for in this folder or below it; an absolute path.'),
  state: WorkStanding.optional().describe('Only those whose newest work has this state.'),
  ...labelQuery,
  search: z.string().min(1).max(longestSearch).optional().describe('Only those that have these words.'),
  archived: z.enum(['only', 'include']).optional().describe('Without it, archived threads are left out.'),
});

/** Conversations with agents: made, read, written to. */
export const threads = new ApiRoutes();

threads.openapi(
  route({
    method: 'post',
    path: '/',
    tags,
    operationId: 'createThread',
    summary: 'Create a thread without work, or adopt a session of the runtime',
    'x-problems': ['conflict', 'unsupported_by_runtime', 'missing_file'],
    request: { body: body(ThreadRequest) },
    responses: { 201: json(Thread, 'The new thread.') },
  }),
  async (c) => {
    const request = c.req.valid('json');
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
    summary: 'List threads, or search in them',
    description:
      'Every filter that is given must hold. `search` looks for words in messages, questions, answers, tool calls, results, titles and names; a thread is found when one of these has all of the words, or words that begin with them. The newest 20,000 places are looked at.',
    request: { query: threadQuery },
    responses: {
      200: json(
        z.object({
          threads: z.array(Thread),
          matches: z
            .array(ThreadMatch)
            .optional()
            .describe('With `search`: where each thread has the words.'),
          next: z.string().optional(),
        }),
        'A page of threads.',
      ),
    },
  }),
  async (c) => {
    const { state, label, ...query } = c.req.valid('query');
    const { rows, matches, next } = await c.env.host.threads.list({
      ...given(query),
      ...(state !== undefined && standingFilter(state)),
      ...labelsOf(label),
    });
    return c.json({ threads: [...rows], ...(matches && { matches: [...matches] }), ...given({ next }) }, 200);
  },
);

threads.openapi(
  route({
    method: 'get',
    path: '/{id}',
    tags,
    operationId: 'getThread',
    summary: 'Read a thread',
    request: { params },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => c.json(await c.env.host.threads.get(c.req.valid('param').id), 200),
);

threads.openapi(
  route({
    method: 'patch',
    path: '/{id}',
    tags,
    operationId: 'editThread',
    summary: 'Name a thread',
    'x-problems': ['conflict'],
    request: { params, body: body(ThreadEdit) },
    responses: { 200: json(Thread, 'The thread with its new name.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.threads.edit(id, c.req.valid('json'), actorOf(c.var.identity)), 200);
  },
);

threads.openapi(
  route({
    method: 'post',
    path: '/{id}/snooze',
    tags,
    operationId: 'snoozeThread',
    summary: 'Put a thread off until later, or take that back',
    description:
      'Lists show it apart until then. Its agent goes on, and what it asks or fails at afterwards brings it back at once.',
    request: { params, body: body(SnoozeRequest) },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.threads.snooze(id, c.req.valid('json'), actorOf(c.var.identity)), 200);
  },
);

threads.openapi(
  route({
    method: 'get',
    path: '/{id}/items',
    tags,
    operationId: 'listItems',
    summary: 'Read the items of a thread: what a person sees',
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
    method: 'get',
    path: '/{id}/tool-outputs/{toolUseId}',
    tags,
    operationId: 'getToolOutput',
    summary: 'Read what a tool said, where its event shows only the beginning',
    description:
      'Calls whose event has `outputKept`. The text is as the tool said it, control characters included.',
    request: {
      params: params.extend({ toolUseId: z.string().min(1).max(1000).describe('The call of the tool.') }),
      query: z.strictObject({
        after: z.coerce
          .number()
          .int()
          .min(0)
          .optional()
          .describe('Only what comes after so many characters.'),
        limit: z.coerce
          .number()
          .int()
          .min(1)
          .max(largestOutputPart)
          .optional()
          .describe('The largest number of characters.'),
      }),
    },
    responses: { 200: json(ToolOutputPart, 'A part of the output; `next` is the `after` of the next part.') },
  }),
  async (c) => {
    const { id, toolUseId } = c.req.valid('param');
    return c.json(await c.env.host.threads.toolOutput(id, toolUseId, given(c.req.valid('query'))), 200);
  },
);

threads.openapi(
  route({
    method: 'post',
    path: '/{id}/items',
    tags,
    operationId: 'postItem',
    summary: 'Post a message to a thread, or the answer to its prompt',
    description:
      'While the thread has an open prompt, the next item is its answer, unless `metadata.queue` is true. If several prompts are open, send `seenSeq` or name the prompt.',
    'x-problems': ['prompt_settled', 'prompt_ambiguous', 'not_deliverable', 'unsupported_by_runtime'],
    request: { params, body: body(UserItem) },
    responses: { 201: json(Posted, 'The item, and whether it became work, a message or an answer.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { host } = c.env;
    const item = itemFrom(c.var.identity, c.req.valid('json'));
    const posted = await withSettledPrompt(host.prompts, item.metadata?.prompt?.prompt_id, () =>
      host.threads.post(id, item, actorOf(c.var.identity), landingFrom(c.var.identity)),
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
    summary: 'Read every status of a thread, with the reason',
    request: { params, query: z.strictObject(pageQuery) },
    responses: {
      200: json(
        z.object({ transitions: z.array(StatusStep), next: z.string().optional() }),
        'A page of threads.',
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

threads.openapi(
  route({
    method: 'get',
    path: '/{id}/changes',
    tags,
    operationId: 'getChanges',
    summary: 'What the agent changed, file by file',
    description:
      'Everything that differs from where the work began: committed, changed and new files. A part ends after `limit` files or 2 MiB. Without `hunks` it is a list; ask for the lines of one file with `path` and `hunks=true`.',
    'x-problems': ['missing_file', 'conflict', 'unavailable'],
    request: {
      params,
      query: z.strictObject({
        cursor: z.string().min(1).max(200).optional().describe('The `next` of the part before.'),
        limit: pageQuery.limit,
        hunks: z.enum(['true', 'false']).optional().describe('Whether the lines come along.'),
        path: z.string().min(1).max(10_000).optional().describe('Only this file.'),
      }),
    },
    responses: { 200: json(ChangePage, 'Files, with what they are compared with.') },
  }),
  async (c) => {
    const { hunks, ...part } = c.req.valid('query');
    const page = await c.env.host.threads.changes(c.req.valid('param').id, {
      ...given(part),
      hunks: hunks === 'true',
    });
    return c.json(page, 200);
  },
);

threads.openapi(
  route({
    method: 'get',
    path: '/{id}/changes/lines',
    tags,
    operationId: 'getChangedFileLines',
    summary: 'Lines of a file that the agent changed, as it was or as it is',
    description:
      'For what stands around a change. Only files that the work changed can be read, and of those neither links nor binary files.',
    'x-problems': ['missing_file', 'conflict', 'unavailable'],
    request: {
      params,
      query: z.strictObject({
        path: z.string().min(1).max(10_000),
        side: z.enum(['old', 'new']).default('new').describe('The file as it was, or as it is.'),
        from: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
        count: z.coerce.number().int().min(1).max(mostLinesAtOnce).default(mostLinesAtOnce),
      }),
    },
    responses: { 200: json(ChangedFileLines, 'The lines, and how many there are.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.threads.fileLines(id, c.req.valid('query')), 200);
  },
);
