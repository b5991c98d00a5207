import { TokenIdentity } from '../../protocol/api.js';
import { given } from '../../protocol/given.js';
import { ApiRoutes, json, route } from '../api-routes.js';

/** Who asks. */
export const identity = new ApiRoutes();

identity.openapi(
  route({
    method: 'get',
    path: '/identity',
    tags: ['worker'],
    operationId: 'getIdentity',
    summary: 'Read whose token this is, and what it may do',
    responses: { 200: json(TokenIdentity, 'The name and the scope of the token.') },
  }),
  (c) => {
    const { name, scope, may, approves, workspace } = c.var.identity;
    return c.json(
      { name, scope, may: [...may], ...given({ approves: approves && [...approves], workspace }) },
      200,
    );
  },
);
