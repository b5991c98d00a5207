import * as z from 'zod';
import { CancelPromptRequest } from '../../protocol/api.js';
import { given } from '../../protocol/given.js';
import { PromptId, ThreadId } from '../../protocol/id.js';
import { PrecedentList } from '../../protocol/precedent.js';
import { AnswerRequest, Prompt, PromptState } from '../../protocol/prompt.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, listQuery, optionalBody, route } from '../api-routes.js';
import { withSettledPrompt } from '../settled-prompt.js';

const tags: [string] = ['prompts'];
const params = z.object({ id: PromptId.describe('The prompt.') });

/** Questions that wait for a person, and their answers. */
export const prompts = new ApiRoutes();

prompts.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'listPrompts',
    summary: 'List prompts',
    request: {
      query: z.strictObject({
        ...listQuery,
        state: PromptState.optional().describe('Only those in this state.'),
        thread: ThreadId.optional().describe('Only those of this thread.'),
        open: z
          .enum(['true', 'false'])
          .optional()
          .describe('Only prompts that are pending and not answered yet: what an inbox shows.'),
      }),
    },
    responses: {
      200: json(z.object({ prompts: z.array(Prompt), next: z.string().optional() }), 'A page of prompts.'),
    },
  }),
  async (c) => {
    const { thread, open, ...rest } = c.req.valid('query');
    const { rows, next } = await c.env.host.prompts.list(
      given({ ...rest, threadId: thread, open: open === undefined ? undefined : open === 'true' }),
    );
    return c.json({ prompts: [...rows], ...given({ next }) }, 200);
  },
);

prompts.openapi(
  route({
    method: 'get',
    path: '/{id}',
    tags,
    operationId: 'getPrompt',
    summary: 'Read a prompt',
    request: { params },
    responses: { 200: json(Prompt, 'The current state of the prompt.') },
  }),
  async (c) => c.json(await c.env.host.prompts.get(c.req.valid('param').id), 200),
);

prompts.openapi(
  route({
    method: 'get',
    path: '/{id}/precedents',
    tags,
    operationId: 'listPrecedents',
    summary: 'Read what was answered before to a prompt like this one',
    description:
      'What persons have answered in the same project: first to the same prompt, then to similar ones, the newest first, five at most. Nothing is answered by itself; whoever wants the same answer sends `answer`.',
    request: { params },
    responses: { 200: json(PrecedentList, 'Earlier answers.') },
  }),
  async (c) => {
    const precedents = await c.env.host.prompts.precedents(c.req.valid('param').id);
    return c.json({ precedents: [...precedents] }, 200);
  },
);

prompts.openapi(
  route({
    method: 'post',
    path: '/{id}/answer',
    tags,
    operationId: 'answerPrompt',
    summary: 'Answer a prompt',
    description:
      'The answer is stored when this returns, and delivered as soon as the agent can be reached. With `holdSeconds` it is stored and held back first: until `undoUntil` whoever gave it can undo it. A malformed answer is refused, and the prompt stays open. A secret is never stored: it is accepted when the agent has it, and where the agent has to be woken first, the prompt is still open and `secretFrom` says who has given it.',
    'x-problems': ['prompt_settled', 'not_deliverable', 'unsupported_by_runtime'],
    request: { params, body: body(AnswerRequest) },
    responses: { 200: json(Prompt, 'The prompt with the answer.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { prompts } = c.env.host;
    const answered = await withSettledPrompt(prompts, id, () =>
      prompts.answer(id, c.req.valid('json'), actorOf(c.var.identity)),
    );
    return c.json(answered, 200);
  },
);

prompts.openapi(
  route({
    method: 'post',
    path: '/{id}/answer-like',
    tags,
    operationId: 'answerLikePrompts',
    summary: 'Answer every open prompt that is the same as this one',
    'x-problems': ['prompt_settled', 'not_deliverable', 'unsupported_by_runtime'],
    request: { params, body: body(AnswerRequest) },
    responses: {
      200: json(
        z.object({ prompts: z.array(Prompt), count: z.int() }),
        'How many were answered, and the first of them, ended by size as a page is.',
      ),
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { prompts } = c.env.host;
    const answered = await withSettledPrompt(prompts, id, () =>
      prompts.answerLike(id, c.req.valid('json'), actorOf(c.var.identity)),
    );
    return c.json({ prompts: [...answered.prompts], count: answered.count }, 200);
  },
);

prompts.openapi(
  route({
    method: 'post',
    path: '/{id}/undo',
    tags,
    operationId: 'undoAnswer',
    summary: 'Undo an answer that is held back',
    description:
      'The prompt is open again. Only whoever gave the answer can undo it, and only until `undoUntil`.',
    'x-problems': ['prompt_settled', 'conflict', 'forbidden'],
    request: { params },
    responses: { 200: json(Prompt, 'The prompt, open again.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { prompts } = c.env.host;
    const undone = await withSettledPrompt(prompts, id, () => prompts.undo(id, actorOf(c.var.identity)));
    return c.json(undone, 200);
  },
);

prompts.openapi(
  route({
    method: 'post',
    path: '/{id}/cancel',
    tags,
    operationId: 'cancelPrompt',
    summary: 'Cancel a prompt',
    description: 'The agent is told that nobody answered.',
    'x-problems': ['prompt_settled'],
    request: { params, body: optionalBody(CancelPromptRequest) },
    responses: { 200: json(Prompt, 'The prompt, cancelled.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { prompts } = c.env.host;
    const options = { ...given(c.req.valid('json')), actor: actorOf(c.var.identity) };
    return c.json(await withSettledPrompt(prompts, id, () => prompts.cancel(id, options)), 200);
  },
);
