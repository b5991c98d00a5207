import * as z from 'zod';
import { ApproveProjectCodeRequest, ProjectCodeReport } from '../../protocol/api.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, route } from '../api-routes.js';

const tags: [string] = ['project code'];

/** A project's own files that may start programs or widen rights. */
export const projectCode = new ApiRoutes();

projectCode.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'inspectProjectCode',
    summary: "Read the project's files that need your approval",
    'x-problems': ['missing_file'],
    request: {
      query: z.strictObject({
        path: z.string().min(1).describe('The folder of the project, or the file of a pipeline.'),
      }),
    },
    responses: { 200: json(ProjectCodeReport, 'The files, their digest, and whether they are approved.') },
  }),
  async (c) => c.json(await c.env.host.projectCode.inspect(c.req.valid('query').path), 200),
);

projectCode.openapi(
  route({
    method: 'post',
    path: '/approve',
    tags,
    operationId: 'approveProjectCode',
    summary: 'Approve these files as they are',
    description:
      'The approval is bound to the digest: it is refused if a file has changed since you read it.',
    'x-problems': ['conflict', 'missing_file'],
    request: { body: body(ApproveProjectCodeRequest) },
    responses: { 200: json(ProjectCodeReport, 'The files, approved.') },
  }),
  async (c) => {
    const { path, digest } = c.req.valid('json');
    const approval = { digest, actor: actorOf(c.var.identity) };
    return c.json(await c.env.host.projectCode.approve(path, approval), 200);
  },
);
