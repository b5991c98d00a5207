import * as z from 'zod';
import { ApiRoutes, route } from '../api-routes.js';
import { proofHeader, proofOf } from '../worker-proof.js';

/** Who listens here: asked by clients of this home before they send a token. */
export const proof = new ApiRoutes();

proof.openapi(
  route({
    method: 'get',
    path: '/proof',
    tags: ['worker'],
    operationId: 'getProof',
    summary: 'Prove that this is the worker of its home',
    description:
      'The header `Handraise-Proof` is the HMAC-SHA256, under the `secret` of the file worker.json, of `handraise CHALLENGE ADDRESS PORT`: the address and port that this connection was made to.',
    security: [],
    request: {
      query: z.strictObject({
        challenge: z
          .string()
          .regex(/^[\w-]{22,128}$/)
          .describe('Random characters that were never sent before.'),
      }),
    },
    responses: { 204: { description: 'The proof is in the header `Handraise-Proof`.' } },
  }),
  (c) => {
    const { localAddress, localPort } = c.env.incoming.socket;
    const { challenge } = c.req.valid('query');
    const question = { challenge, address: localAddress, port: localPort };
    c.header(proofHeader, proofOf(c.env.proofSecret, question));
    return c.body(null, 204);
  },
);
