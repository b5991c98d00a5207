import * as z from 'zod';
import { BackupReport, BackupRequest } from '../../protocol/backup.js';
import { ArchiveRequest, PruneReport, PruneRequest } from '../../protocol/cleanup.js';
import { ThreadId } from '../../protocol/id.js';
import { Thread } from '../../protocol/thread.js';
import { ImportRequest } from '../../protocol/thread-file.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, route } from '../api-routes.js';

const tags: [string] = ['threads'];
const params = z.object({ id: ThreadId.describe('The thread.') });

/** How threads that nobody needs any more are put aside and removed. */
export const cleanup = new ApiRoutes();

cleanup.openapi(
  route({
    method: 'post',
    path: '/threads/{id}/archive',
    tags,
    operationId: 'archiveThread',
    summary: 'Put a thread aside, or take it back',
    description: 'Its agent is ended. An archived thread can only be read, and lists leave it out.',
    'x-problems': ['conflict'],
    request: { params, body: body(ArchiveRequest) },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.cleanup.archive(id, c.req.valid('json'), actorOf(c.var.identity)), 200);
  },
);

cleanup.openapi(
  route({
    method: 'delete',
    path: '/threads/{id}',
    tags,
    operationId: 'removeThread',
    summary: 'Remove a thread with its worktree; `force` also removes work that is not landed',
    description: 'What it cost stays in the usage by day and by runtime.',
    'x-problems': ['conflict'],
    request: {
      params,
      query: z.strictObject({
        force: z.enum(['true', 'false']).optional().describe('Remove it even if work is lost with it.'),
      }),
    },
    responses: { 200: json(Thread, 'The thread as it was.') },
  }),
  async (c) => {
    const options = { force: c.req.valid('query').force === 'true', actor: actorOf(c.var.identity) };
    return c.json(await c.env.host.cleanup.remove(c.req.valid('param').id, options), 200);
  },
);

cleanup.openapi(
  route({
    method: 'post',
    path: '/threads/import',
    tags,
    operationId: 'importThread',
    summary: 'Take in a thread from elsewhere, to be read',
    description:
      'It has an id of its own, is archived and stays so, and nothing of it is run. `handraise export` writes what this takes.',
    'x-problems': ['too_large'],
    request: { body: body(ImportRequest) },
    responses: { 201: json(Thread, 'The imported thread.') },
  }),
  async (c) => {
    const thread = await c.env.host.cleanup.import(c.req.valid('json'), actorOf(c.var.identity));
    c.header('location', `/api/v1/threads/${thread.id}`);
    return c.json(thread, 201);
  },
);

cleanup.openapi(
  route({
    method: 'post',
    path: '/prune',
    tags,
    operationId: 'pruneThreads',
    summary: 'Remove old threads without losing work',
    request: { body: body(PruneRequest) },
    responses: { 200: json(PruneReport, 'What was removed, or would be.') },
  }),
  async (c) => c.json(await c.env.host.cleanup.prune(c.req.valid('json'), actorOf(c.var.identity)), 200),
);

cleanup.openapi(
  route({
    method: 'post',
    path: '/backup',
    tags: ['worker'],
    operationId: 'backUpStore',
    summary: 'Write the store into a new file on the machine of the worker, while work goes on',
    description:
      'Everything that was acknowledged before is in it. A store in PostgreSQL is backed up by its server.',
    'x-problems': ['conflict', 'missing_file', 'no_permission'],
    request: { body: body(BackupRequest) },
    responses: { 201: json(BackupReport, 'The file, which is on the disk.') },
  }),
  async (c) => c.json(await c.env.host.cleanup.backUp(c.req.valid('json')), 201),
);
