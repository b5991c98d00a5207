import * as z from 'zod';
import { given } from '../../protocol/given.js';
import { ThreadId } from '../../protocol/id.js';
import {
  AdoptRequest,
  OpenedTerminal,
  SessionList,
  TerminalProgramRequest,
  TerminalRequest,
} from '../../protocol/terminal.js';
import { Thread } from '../../protocol/thread.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, route } from '../api-routes.js';

const params = z.object({ id: ThreadId.describe('The thread.') });
const path = '/threads/{id}/terminal';
const tags: [string] = ['terminals'];

/** Threads in the runtimes' own terminal programs, and sessions that were started there. */
export const terminals = new ApiRoutes();

terminals.openapi(
  route({
    method: 'post',
    path,
    tags,
    operationId: 'openTerminal',
    summary: "Give a thread to the runtime's own terminal program",
    description:
      'The agent is ended, and work and messages for the thread wait until the program has ended. An open question or work under way is a conflict, unless `setAside` is true. Start `command` on the machine of the worker, and say which process it is before it reads.',
    'x-problems': ['conflict', 'unsupported_by_runtime', 'not_installed'],
    request: { params, body: body(TerminalRequest) },
    responses: { 200: json(OpenedTerminal, 'The thread, and what to start.') },
  }),
  async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await c.env.host.terminals.open(id, c.req.valid('json'), actorOf(c.var.identity)), 200);
  },
);

terminals.openapi(
  route({
    method: 'put',
    path,
    tags,
    operationId: 'beginTerminal',
    summary: 'Say which process the program is, before it reads',
    'x-problems': ['conflict'],
    request: { params, body: body(TerminalProgramRequest) },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => {
    const { program } = c.req.valid('json');
    return c.json(await c.env.host.terminals.begin(c.req.valid('param').id, program), 200);
  },
);

terminals.openapi(
  route({
    method: 'delete',
    path,
    tags,
    operationId: 'closeTerminal',
    summary: 'Take a thread back whose program has ended, with what was said there',
    description: 'The worker notices by itself, too. While the program runs, it is a conflict.',
    'x-problems': ['conflict'],
    request: { params },
    responses: { 200: json(Thread, 'The current state of the thread.') },
  }),
  async (c) => c.json(await c.env.host.terminals.close(c.req.valid('param').id), 200),
);

terminals.openapi(
  route({
    method: 'get',
    path: '/sessions',
    tags,
    operationId: 'listSessions',
    summary: "List sessions that were started by hand, from the runtimes' own stores",
    request: {
      query: z.strictObject({
        workspace: z
          .string()
          .min(1)
          .max(4096)
          .optional()
          .describe('Only those started in this folder or below it; an absolute path.'),
      }),
    },
    responses: { 200: json(SessionList, 'The newest first, without those that are threads already.') },
  }),
  async (c) => {
    const found = await c.env.host.terminals.sessions(given(c.req.valid('query')));
    return c.json({ sessions: [...found] }, 200);
  },
);

terminals.openapi(
  route({
    method: 'post',
    path: '/sessions/adopt',
    tags,
    operationId: 'adoptSession',
    summary: 'Make a thread of a session that was started by hand',
    'x-problems': ['conflict', 'not_found', 'unsupported_by_runtime', 'not_installed', 'missing_file'],
    request: { body: body(AdoptRequest) },
    responses: { 201: json(Thread, 'The new thread, with what was said so far.') },
  }),
  async (c) => {
    const thread = await c.env.host.terminals.adopt(c.req.valid('json'), actorOf(c.var.identity));
    c.header('location', `/api/v1/threads/${thread.id}`);
    return c.json(thread, 201);
  },
);
