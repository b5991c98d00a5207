import * as z from 'zod';
import { CancelPromptRequest } from '../../protocol/api.js';
import { PromptId, ThreadId } from '../../protocol/id.js';
import { Answer, Prompt, PromptState } from '../../protocol/prompt.js';
import { personOnly } from '../access.js';
import { actorOf } from '../api-env.js';
import { body, given, json, listQuery, newRoutes, optionalBody, route } from '../api-routes.js';
import { withSettledPrompt } from '../settled-prompt.js';

const tags: [string] = ['prompts'];
const params = z.object({ id: PromptId.describe('The prompt.') });

/** Questions that wait for a person, and their answers. */
export const prompts = newRoutes();

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
          .describe('Pending and not answered yet: what an inbox shows.'),
      }),
    },
    responses: {
      200: json(z.object({ prompts: z.array(Prompt), next: z.string().optional() }), 'A page of them.'),
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
    summary: 'Look at a prompt',
    request: { params },
    responses: { 200: json(Prompt, 'The prompt as it stands.') },
  }),
  async (c) => c.json(await c.env.host.prompts.get(c.req.valid('param').id), 200),
);

prompts.openapi(
  route({
    method: 'post',
    path: '/{id}/answer',
    tags,
    operationId: 'answerPrompt',
    summary: 'Answer a prompt',
    description:
      'Stored when this returns, and delivered as soon as the agent can be reached. A malformed answer is refused and leaves the prompt open.',
    middleware: personOnly,
    'x-problems': ['prompt_settled', 'not_deliverable', 'unsupported_by_runtime'],
    request: { params, body: body(Answer) },
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
    summary: 'Answer every open prompt that equals this one',
    middleware: personOnly,
    'x-problems': ['prompt_settled', 'not_deliverable', 'unsupported_by_runtime'],
    request: { params, body: body(Answer) },
    responses: { 200: json(z.object({ prompts: z.array(Prompt) }), 'The prompts that were answered.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { prompts } = c.env.host;
    const answered = await withSettledPrompt(prompts, id, () =>
      prompts.answerLike(id, c.req.valid('json'), actorOf(c.var.identity)),
    );
    return c.json({ prompts: [...answered] }, 200);
  },
);

prompts.openapi(
  route({
    method: 'post',
    path: '/{id}/cancel',
    tags,
    operationId: 'cancelPrompt',
    summary: 'Cancel a prompt',
    description: 'The agent hears that nobody answered.',
    middleware: personOnly,
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
