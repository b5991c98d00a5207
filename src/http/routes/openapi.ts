import * as z from 'zod';
import { ApiRoutes, json, route } from '../api-routes.js';

/** The description of this API. */
export const openapi = new ApiRoutes();

openapi.openapi(
  route({
    method: 'get',
    path: '/openapi.json',
    tags: ['worker'],
    operationId: 'getOpenapi',
    summary: 'Read the description of this API',
    security: [],
    responses: { 200: json(z.looseObject({ openapi: z.string() }), 'OpenAPI 3.1.') },
  }),
  (c) => c.json(c.env.document(), 200),
);
