import * as z from 'zod';
import { ApproveProjectCodeRequest, ProjectCodeReport } from '../../protocol/api.js';
import { personOnly } from '../access.js';
import { actorOf } from '../api-env.js';
import { body, json, newRoutes, route } from '../api-routes.js';

const tags: [string] = ['project code'];

/** A project's own files that may start programs or widen rights. */
export const projectCode = newRoutes();

projectCode.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'inspectProjectCode',
    summary: "Read the project's files that need an approval",
    'x-problems': ['missing_file'],
    request: { query: z.strictObject({ path: z.string().min(1).describe('The folder of the project.') }) },
    responses: { 200: json(ProjectCodeReport, 'The files, their digest, and whether it is approved.') },
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
    description: 'Bound to the digest: if a file changed since it was read, the approval is refused.',
    middleware: personOnly,
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
