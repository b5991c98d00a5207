import * as z from 'zod';
import { ThreadId } from '../../protocol/id.js';
import {
  ApplyRequest,
  BranchPushRequest,
  Landing,
  MergeRequest,
  PullRequestRequest,
  WatchRequest,
} from '../../protocol/landing.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, route } from '../api-routes.js';

const tags: [string] = ['threads'];
const params = z.object({ id: ThreadId.describe('The thread.') });
const problems = ['conflict', 'missing_file', 'unavailable'] as const;

/** How the work of a thread becomes its user's. */
export const landings = new ApiRoutes();

landings.openapi(
  route({
    method: 'get',
    path: '/{id}/landings',
    tags,
    operationId: 'listLandings',
    summary: 'What was merged, applied, pushed and discarded, newest first',
    request: { params },
    responses: { 200: json(z.object({ landings: z.array(Landing) }), 'The last twenty.') },
  }),
  async (c) => c.json({ landings: [...(await c.env.host.landings.list(c.req.valid('param').id))] }, 200),
);

landings.openapi(
  route({
    method: 'post',
    path: '/{id}/merge',
    tags,
    operationId: 'mergeThread',
    summary: 'Merge the work of a thread into a branch',
    description:
      'Commits what is not committed and merges. Conflicts are no error: `state` is `conflicted`, and nothing was changed. Repeating it merges nothing twice.',
    'x-problems': problems,
    request: { params, body: body(MergeRequest) },
    responses: { 200: json(Landing, 'What became of it.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.landings.merge(id, c.req.valid('json'), actorOf(c.var.identity)), 200);
  },
);

landings.openapi(
  route({
    method: 'post',
    path: '/{id}/apply',
    tags,
    operationId: 'applyThread',
    summary: 'Put the changes, staged, into the checkout that the work came from; `undo` takes them back',
    'x-problems': problems,
    request: { params, body: body(ApplyRequest) },
    responses: { 200: json(Landing, 'What became of it.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.landings.apply(id, c.req.valid('json'), actorOf(c.var.identity)), 200);
  },
);

landings.openapi(
  route({
    method: 'post',
    path: '/{id}/pull-request',
    tags,
    operationId: 'openPullRequest',
    summary: 'Push the branch of a thread and open a pull request for it',
    description:
      'Commits what is not committed, pushes without force, and opens a pull request with `gh` or `glab` where that is installed and signed in; else `createUrl` is the page on which a person can. Repeating it pushes what is new to the same pull request.',
    'x-problems': problems,
    request: { params, body: body(PullRequestRequest) },
    responses: { 200: json(Landing, 'What became of it.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const actor = actorOf(c.var.identity);
    return c.json(await c.env.host.landings.openPullRequest(id, c.req.valid('json'), actor), 200);
  },
);

landings.openapi(
  route({
    method: 'post',
    path: '/{id}/push',
    tags,
    operationId: 'pushThread',
    summary: 'Push the branch of a thread, without a pull request',
    description:
      'Commits what is not committed and pushes without force, to where the repository was when the work began. Repeating it pushes what is new. Work in a repository (`workspace.repo`) is pushed by itself when it succeeded.',
    'x-problems': problems,
    request: { params, body: body(BranchPushRequest) },
    responses: { 200: json(Landing, 'What became of it.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.landings.push(id, c.req.valid('json'), actorOf(c.var.identity)), 200);
  },
);

landings.openapi(
  route({
    method: 'post',
    path: '/{id}/discard',
    tags,
    operationId: 'discardThread',
    summary: 'Remove the worktree and its branch; the work is kept under refs/handraise/discarded/',
    'x-problems': problems,
    request: { params },
    responses: { 200: json(Landing, 'What became of it.') },
  }),
  async (c) =>
    c.json(await c.env.host.landings.discard(c.req.valid('param').id, actorOf(c.var.identity)), 200),
);

landings.openapi(
  route({
    method: 'post',
    path: '/{id}/watch',
    tags,
    operationId: 'watchPullRequest',
    summary: 'Watch the pull request of a thread: failing checks and review comments go to its agent',
    description:
      'Looks through `gh`. What is new is one piece of work for the agent, and is pushed when it succeeded. After so many rounds a person is asked in a prompt. Repeating it begins to count anew.',
    'x-problems': problems,
    request: { params, body: body(WatchRequest) },
    responses: { 200: json(Landing, 'The watch; it is `begun` for as long as it lasts.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const actor = actorOf(c.var.identity);
    return c.json(await c.env.host.pullRequests.watch(id, c.req.valid('json'), actor), 200);
  },
);

landings.openapi(
  route({
    method: 'delete',
    path: '/{id}/watch',
    tags,
    operationId: 'unwatchPullRequest',
    summary: 'Watch the pull request of a thread no more',
    'x-problems': ['conflict'],
    request: { params },
    responses: { 200: json(Landing, 'The watch, which is over.') },
  }),
  async (c) =>
    c.json(await c.env.host.pullRequests.unwatch(c.req.valid('param').id, actorOf(c.var.identity)), 200),
);
