import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import * as z from 'zod';
import { feedEvent } from '../../host/feeds/live-feed.js';
import { ThreadEvent } from '../../protocol/api.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { ThreadId } from '../../protocol/id.js';
import type { ApiEnv } from '../api-env.js';
import { ApiRoutes, partQuery, route } from '../api-routes.js';
import { ThreadStream } from '../thread-stream.js';

const defaultLimit = 100;

/** The events of a thread: a page of them, or all of them as they come. */
export const events = new ApiRoutes();

events.openapi(
  route({
    method: 'get',
    path: '/{id}/events',
    tags: ['threads'],
    operationId: 'listEvents',
    summary: 'Read or follow the events of a thread',
    description:
      'With `Accept: text/event-stream` the events come as they are committed, `id:` being their `seq`: first those after `Last-Event-ID` or `after`, then new ones. A client that reads too slowly gets `event: dropped` and must reconnect; nothing is lost.',
    'x-problems': ['unavailable'],
    request: {
      params: z.object({ id: ThreadId.describe('The thread.') }),
      query: z.strictObject({
        ...partQuery,
        live: z
          .enum(['0', '1'])
          .optional()
          .describe(
            'With 1, a stream also carries live text, without an `id:`; live text is never sent again.',
          ),
      }),
      headers: z.object({
        'last-event-id': z.coerce
          .number()
          .int()
          .min(0)
          .optional()
          .describe('The last event that the client received; it overrides `after`.'),
      }),
    },
    responses: {
      200: {
        description: 'Events, oldest first. `next` is the `after` of the next page, if there may be one.',
        content: {
          'application/json': {
            schema: z.object({ events: z.array(ThreadEvent), next: z.int().optional() }),
          },
          'text/event-stream': { schema: z.string() },
        },
      },
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    const { after = 0, limit = defaultLimit, live } = c.req.valid('query');
    const { host, outgoing, streams, log } = c.env;
    if (!wantsStream(c)) {
      const { events, next } = await host.threads.events(id, { after, limit });
      const end = next === undefined ? '' : `,"next":${next}`;
      return c.body(`{"events":[${events.map((event) => feedEvent(event).json).join(',')}]${end}}`, 200, {
        'content-type': 'application/json',
      });
    }
    await host.threads.get(id);
    if (c.req.method === 'HEAD') return c.body('', 200, { 'content-type': 'text/event-stream' });
    const stream = streams.open(outgoing, c.var.isStillGood);
    const from = c.req.valid('header')['last-event-id'] ?? after;
    ThreadStream.follow({ host, stream, threadId: id, after: from, live: live === '1' }).catch((error) => {
      log(`Following ${id}: ${errorSentence(error)}`);
      stream.drop('The thread cannot be read now. Connect again.');
    });
    return RESPONSE_ALREADY_SENT;
  },
);

/** Whether the client asked for events as they come. */
export function wantsStream(c: Context<ApiEnv>): boolean {
  const supports = ['application/json', 'text/event-stream'];
  return accepts(c, { header: 'Accept', supports, default: 'application/json' }) === 'text/event-stream';
}
