import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import * as z from 'zod';
import { errorSentence } from '../../protocol/error-sentence.js';
import { ApiRoutes, route } from '../api-routes.js';
import { OverviewStream } from '../overview-stream.js';

/** Everything at once, for consoles. */
export const overview = new ApiRoutes();

overview.openapi(
  route({
    method: 'get',
    path: '/',
    tags: ['status'],
    operationId: 'followOverview',
    summary: 'Follow every thread and every prompt',
    description:
      'First every thread (`event: thread`), the newest first, and every open prompt (`event: prompt`), all observed sessions (`event: observed`), then `event: present`; from then on each thread and prompt that has changed, and all observed sessions when one of them has, in its current state, a few times a second at most, and `event: removed` with the `id` of a thread that was removed. The stream has no ids; after a reconnect it starts with the current state again.',
    'x-problems': ['unavailable'],
    responses: {
      200: { description: 'A stream.', content: { 'text/event-stream': { schema: z.string() } } },
    },
  }),
  (c) => {
    const { host, outgoing, streams, log } = c.env;
    if (c.req.method === 'HEAD') return c.body('', 200, { 'content-type': 'text/event-stream' });
    const stream = streams.open(outgoing, c.var.isStillGood);
    OverviewStream.follow({ host, stream }).catch((error) => {
      log(`Following everything: ${errorSentence(error)}`);
      stream.drop('The overview cannot be read now. Connect again.');
    });
    return RESPONSE_ALREADY_SENT;
  },
);
