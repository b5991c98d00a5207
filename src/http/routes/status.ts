import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import * as z from 'zod';
import { StatusChange } from '../../protocol/api.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import { ApiRoutes, largestPage, pageQuery, route } from '../api-routes.js';
import { StatusStream } from '../status-stream.js';
import { wantsStream } from './events.js';

/** What every agent is doing now. */
export const status = new ApiRoutes();

status.openapi(
  route({
    method: 'get',
    path: '/',
    tags: ['status'],
    operationId: 'listStatuses',
    summary: 'Read or follow the status of every thread',
    description:
      'With `Accept: text/event-stream`: first the status of every thread that is not stopped, then every change, as `event: status`; and all observed sessions (`event: observed`), again whenever one of them has changed. The stream has no ids; after a reconnect it starts with the current state again.',
    'x-problems': ['unavailable'],
    request: { query: z.strictObject(pageQuery) },
    responses: {
      200: {
        description: 'A page of statuses, or a stream of them.',
        content: {
          'application/json': {
            schema: z.object({ statuses: z.array(StatusChange), next: z.string().optional() }),
          },
          'text/event-stream': { schema: z.string() },
        },
      },
    },
  }),
  async (c) => {
    const { host, outgoing, streams, log } = c.env;
    if (!wantsStream(c)) {
      const { rows, next } = await host.threads.list({
        limit: largestPage,
        ...given(c.req.valid('query')),
      });
      const statuses = rows.map(({ id, status }) => ({ threadId: id, status }));
      return c.json({ statuses, ...given({ next }) }, 200);
    }
    if (c.req.method === 'HEAD') return c.body('', 200, { 'content-type': 'text/event-stream' });
    const stream = streams.open(outgoing, c.var.isStillGood);
    StatusStream.follow({ host, stream }).catch((error) => {
      log(`Following statuses: ${errorSentence(error)}`);
      stream.drop('The statuses cannot be read now. Connect again.');
    });
    return RESPONSE_ALREADY_SENT;
  },
);
