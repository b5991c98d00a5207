import * as z from 'zod';
import { given } from '../../protocol/given.js';
import { ThreadId } from '../../protocol/id.js';
import {
  CommentEdit,
  CommentRequest,
  ReviewComment,
  SendCommentsRequest,
  SentComments,
} from '../../protocol/review-comment.js';
import { landingFrom } from '../agent-scope.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, pageQuery, route } from '../api-routes.js';

const tags: [string] = ['threads'];
const params = z.object({ id: ThreadId.describe('The thread.') });
const commentParams = params.extend({ commentId: z.uuid().describe('The comment.') });

/** What people and agents say about lines of a thread's changes. */
export const comments = new ApiRoutes();

comments.openapi(
  route({
    method: 'get',
    path: '/{id}/comments',
    tags,
    operationId: 'listComments',
    summary: 'Read the review comments of a thread',
    request: {
      params,
      query: z.strictObject({
        ...pageQuery,
        state: ReviewComment.shape.state.optional(),
        file: z.string().min(1).max(4096).optional().describe('Only comments on this file.'),
      }),
    },
    responses: {
      200: json(
        z.object({ comments: z.array(ReviewComment), next: z.string().optional() }),
        'A page of comments.',
      ),
    },
  }),
  async (c) => {
    const part = given(c.req.valid('query'));
    const { rows, next } = await c.env.host.comments.list(c.req.valid('param').id, part);
    return c.json({ comments: [...rows], ...given({ next }) }, 200);
  },
);

comments.openapi(
  route({
    method: 'post',
    path: '/{id}/comments',
    tags,
    operationId: 'addComment',
    summary: 'Comment on a line of what the agent changed',
    description:
      'The agent sees it with its tool `list_review_comments`, and gets it as work when it is sent.',
    'x-problems': ['conflict'],
    request: { params, body: body(CommentRequest) },
    responses: { 201: json(ReviewComment, 'The comment; with the same `id` again, the same one.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.comments.add(id, c.req.valid('json'), actorOf(c.var.identity)), 201);
  },
);

comments.openapi(
  route({
    method: 'post',
    path: '/{id}/comments/send',
    tags,
    operationId: 'sendComments',
    summary: 'Give comments to the agent as one message that quotes file and line',
    description:
      'It is work of the thread: an agent at rest begins at once, one at work gets it when it is done. Comments that were sent stay open until somebody resolves them.',
    'x-problems': ['conflict'],
    request: { params, body: body(SendCommentsRequest) },
    responses: { 200: json(SentComments, 'The work, and which comments it brings.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { identity } = c.var;
    const terms = landingFrom(identity);
    return c.json(await c.env.host.comments.send(id, c.req.valid('json'), actorOf(identity), terms), 200);
  },
);

comments.openapi(
  route({
    method: 'patch',
    path: '/{id}/comments/{commentId}',
    tags,
    operationId: 'editComment',
    summary: 'Resolve or reopen a comment, or change its words',
    request: { params: commentParams, body: body(CommentEdit) },
    responses: { 200: json(ReviewComment, 'The comment as it is now.') },
  }),
  async (c) => {
    const { id, commentId } = c.req.valid('param');
    const edit = c.req.valid('json');
    return c.json(await c.env.host.comments.edit(id, commentId, edit, actorOf(c.var.identity)), 200);
  },
);

comments.openapi(
  route({
    method: 'delete',
    path: '/{id}/comments/{commentId}',
    tags,
    operationId: 'removeComment',
    summary: 'Remove a comment',
    request: { params: commentParams },
    responses: { 200: json(ReviewComment, 'The comment that is gone.') },
  }),
  async (c) => {
    const { id, commentId } = c.req.valid('param');
    return c.json(await c.env.host.comments.remove(id, commentId), 200);
  },
);
