import * as z from 'zod';
import { Dispatch } from '../../protocol/dispatch.js';
import { given } from '../../protocol/given.js';
import { ScheduleId } from '../../protocol/id.js';
import { Schedule, ScheduleRequest, ScheduleRun } from '../../protocol/schedule.js';
import { actorOf } from '../api-env.js';
import { ApiRoutes, body, json, pageQuery, route } from '../api-routes.js';

const tags: [string] = ['schedules'];
const params = z.object({ id: ScheduleId.describe('The schedule.') });

/** Work that is given again and again. */
export const schedules = new ApiRoutes();

schedules.openapi(
  route({
    method: 'post',
    path: '/',
    tags,
    operationId: 'createSchedule',
    summary: 'Give work again and again',
    description:
      'The work is checked as if it were given now; what could not be taken in is refused, and nothing is stored.',
    'x-problems': ['conflict', 'unsupported_by_runtime', 'missing_file'],
    request: { body: body(ScheduleRequest) },
    responses: { 201: json(Schedule, 'The schedule, with its next time.') },
  }),
  async (c) => {
    const schedule = await c.env.host.schedules.create(c.req.valid('json'), actorOf(c.var.identity));
    c.header('location', `/api/v1/schedules/${schedule.id}`);
    return c.json(schedule, 201);
  },
);

schedules.openapi(
  route({
    method: 'get',
    path: '/',
    tags,
    operationId: 'listSchedules',
    summary: 'List schedules',
    request: { query: z.strictObject(pageQuery) },
    responses: {
      200: json(
        z.object({ schedules: z.array(Schedule), next: z.string().optional() }),
        'A page of schedules, each with what became of its last time.',
      ),
    },
  }),
  async (c) => {
    const { rows, next } = await c.env.host.schedules.list(given(c.req.valid('query')));
    return c.json({ schedules: [...rows], ...given({ next }) }, 200);
  },
);

schedules.openapi(
  route({
    method: 'get',
    path: '/{id}',
    tags,
    operationId: 'getSchedule',
    summary: 'Read a schedule',
    request: { params },
    responses: { 200: json(Schedule, 'The schedule.') },
  }),
  async (c) => c.json(await c.env.host.schedules.get(c.req.valid('param').id), 200),
);

schedules.openapi(
  route({
    method: 'get',
    path: '/{id}/runs',
    tags,
    operationId: 'listScheduleRuns',
    summary: 'Read what became of the times of a schedule, with outcomes',
    description: 'Newest first, unless another order is asked for. The last thousand are kept.',
    request: { params, query: z.strictObject(pageQuery) },
    responses: {
      200: json(z.object({ runs: z.array(ScheduleRun), next: z.string().optional() }), 'A page of them.'),
    },
  }),
  async (c) => {
    const { rows, next } = await c.env.host.schedules.runs(
      c.req.valid('param').id,
      given(c.req.valid('query')),
    );
    return c.json({ runs: [...rows], ...given({ next }) }, 200);
  },
);

schedules.openapi(
  route({
    method: 'post',
    path: '/{id}/pause',
    tags,
    operationId: 'pauseSchedule',
    summary: 'Give no work until it is resumed',
    request: { params },
    responses: { 200: json(Schedule, 'The schedule, which is paused; work under way goes on.') },
  }),
  async (c) =>
    c.json(await c.env.host.schedules.pause(c.req.valid('param').id, actorOf(c.var.identity)), 200),
);

schedules.openapi(
  route({
    method: 'post',
    path: '/{id}/resume',
    tags,
    operationId: 'resumeSchedule',
    summary: 'Go on with the next time',
    request: { params },
    responses: { 200: json(Schedule, 'The schedule; what was due during the pause is not made up for.') },
  }),
  async (c) => c.json(await c.env.host.schedules.resume(c.req.valid('param').id), 200),
);

schedules.openapi(
  route({
    method: 'post',
    path: '/{id}/run',
    tags,
    operationId: 'runSchedule',
    summary: 'Give the work of a schedule now',
    description: 'Whatever else of it is under way, and whether it is paused or not.',
    'x-problems': ['conflict', 'unsupported_by_runtime', 'missing_file'],
    request: { params },
    responses: { 201: json(Dispatch, 'The work.') },
  }),
  async (c) => {
    const dispatch = await c.env.host.schedules.runNow(c.req.valid('param').id, actorOf(c.var.identity));
    c.header('location', `/api/v1/dispatches/${dispatch.id}`);
    return c.json(dispatch, 201);
  },
);

schedules.openapi(
  route({
    method: 'delete',
    path: '/{id}',
    tags,
    operationId: 'removeSchedule',
    summary: 'Remove a schedule',
    request: { params },
    responses: { 200: json(Schedule, 'What it was; the work that it gave stays.') },
  }),
  async (c) => c.json(await c.env.host.schedules.remove(c.req.valid('param').id), 200),
);
