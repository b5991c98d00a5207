import * as z from 'zod';
import { PushDevice, PushReport, PushRequest } from '../../protocol/push.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, route } from '../api-routes.js';

const tags: [string] = ['push'];

/** Devices that are told when an agent asks. */
export const push = new ApiRoutes();

push.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'getPush',
    summary: 'Read which devices are told, and the key that a browser subscribes with',
    description: 'The key pair is made when it is first asked for, and stays in the home of the worker.',
    responses: { 200: json(PushReport, 'The key and the devices.') },
  }),
  (c) => c.json(c.env.host.push.report(), 200),
);

push.openapi(
  route({
    method: 'post',
    path: '/',
    tags,
    operationId: 'addPushDevice',
    summary: 'Tell this device when an agent asks',
    description:
      'The messages are encrypted for the browser, so its push service reads none of them. They go only to the push services of Google, Mozilla, Apple and Microsoft. A device ends with the token that it was signed in by.',
    'x-problems': ['conflict'],
    request: { body: body(PushRequest) },
    responses: { 201: json(PushDevice, 'The device.') },
  }),
  (c) => {
    const { identity } = c.var;
    const holder = { actor: actorOf(identity), digest: identity.digest };
    return c.json(c.env.host.push.add(c.req.valid('json'), holder), 201);
  },
);

push.openapi(
  route({
    method: 'delete',
    path: '/{id}',
    tags,
    operationId: 'removePushDevice',
    summary: 'Tell a device nothing more',
    request: {
      params: z.object({
        id: z
          .string()
          .regex(/^[0-9a-f]{16}$/)
          .describe('The device.'),
      }),
    },
    responses: { 200: json(PushDevice, 'What it was.') },
  }),
  (c) => c.json(c.env.host.push.remove(c.req.valid('param').id), 200),
);
