import * as z from 'zod';
import { given } from '../../protocol/given.js';
import { PipelineId } from '../../protocol/id.js';
import { Pipeline, PipelineDetail, PipelineRequest } from '../../protocol/pipeline.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, listQuery, route } from '../api-routes.js';

const tags: [string] = ['pipelines'];
const params = z.object({ id: PipelineId.describe('The run of a pipeline.') });

/** Work in phases, each after those that it needs. */
export const pipelines = new ApiRoutes();

pipelines.openapi(
  route({
    method: 'post',
    path: '/',
    tags,
    operationId: 'runPipeline',
    summary: 'Run a pipeline',
    description:
      'All of it is checked first; what is wrong is said with line and column, and nothing has begun. Where a run of the same file in the same workspace has not ended, that run comes back, and it is refused if the file has changed since.',
    'x-problems': ['conflict', 'unsupported_by_runtime', 'missing_file', 'no_permission'],
    request: { body: body(PipelineRequest) },
    responses: {
      200: json(PipelineDetail, 'The run that is under way already.'),
      201: json(PipelineDetail, 'The new run.'),
    },
  }),
  async (c) => {
    const { pipeline, isNew } = await c.env.host.pipelines.create(
      c.req.valid('json'),
      actorOf(c.var.identity),
    );
    if (!isNew) return c.json(pipeline, 200);
    c.header('location', `/api/v1/pipelines/${pipeline.id}`);
    return c.json(pipeline, 201);
  },
);

pipelines.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'listPipelines',
    summary: 'List runs of pipelines',
    description: 'Newest first, unless another order is asked for.',
    request: {
      query: z.strictObject({
        ...listQuery,
        open: z.literal('true').optional().describe('Only those that have not ended.'),
      }),
    },
    responses: {
      200: json(
        z.object({ pipelines: z.array(Pipeline), next: z.string().optional() }),
        'A page of runs, without their phases.',
      ),
    },
  }),
  async (c) => {
    const { open, ...part } = c.req.valid('query');
    const { rows, next } = await c.env.host.pipelines.list({
      ...given(part),
      ...(open !== undefined && { open: true }),
    });
    return c.json({ pipelines: [...rows], ...given({ next }) }, 200);
  },
);

pipelines.openapi(
  route({
    method: 'get',
    path: '/{id}',
    tags,
    operationId: 'getPipeline',
    summary: 'Read a run of a pipeline, with its phases',
    request: { params },
    responses: { 200: json(PipelineDetail, 'The run.') },
  }),
  async (c) => c.json(await c.env.host.pipelines.get(c.req.valid('param').id), 200),
);

pipelines.openapi(
  route({
    method: 'post',
    path: '/{id}/cancel',
    tags,
    operationId: 'cancelPipeline',
    summary: 'Cancel a run of a pipeline',
    description: 'What is under way is ended, questions are closed, and nothing more begins.',
    request: { params },
    responses: { 200: json(PipelineDetail, 'The run; it has ended once its work has.') },
  }),
  async (c) =>
    c.json(await c.env.host.pipelines.cancel(c.req.valid('param').id, actorOf(c.var.identity)), 200),
);
