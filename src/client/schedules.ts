import * as z from 'zod';
import { Dispatch } from '../protocol/dispatch.js';
import type { ScheduleId } from '../protocol/id.js';
import { Schedule, type ScheduleRequest, ScheduleRun } from '../protocol/schedule.js';
import type { ApiConnection } from './connection.js';
import { everyPage, next, type PageQuery } from './page.js';

const SchedulePage = z.object({ schedules: z.array(Schedule), next });
const RunPage = z.object({ runs: z.array(ScheduleRun), next });

/** Work that is given again and again. */
export class ScheduleClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  create(request: ScheduleRequest): Promise<Schedule> {
    return this.#connection.call(Schedule, '/schedules', { method: 'POST', body: request });
  }

  /** All of them, oldest first. */
  async all(): Promise<Schedule[]> {
    const schedules: Schedule[] = [];
    const pages = everyPage((part) =>
      this.#connection.call(SchedulePage, '/schedules', { query: { ...part } }),
    );
    for await (const page of pages) schedules.push(...page.schedules);
    return schedules;
  }

  get(id: ScheduleId): Promise<Schedule> {
    return this.#connection.call(Schedule, `/schedules/${id}`);
  }

  /** What became of its times, newest first. */
  runs(id: ScheduleId, query: PageQuery = {}): Promise<z.infer<typeof RunPage>> {
    return this.#connection.call(RunPage, `/schedules/${id}/runs`, { query: { ...query } });
  }

  pause(id: ScheduleId): Promise<Schedule> {
    return this.#connection.call(Schedule, `/schedules/${id}/pause`, { method: 'POST' });
  }

  resume(id: ScheduleId): Promise<Schedule> {
    return this.#connection.call(Schedule, `/schedules/${id}/resume`, { method: 'POST' });
  }

  runNow(id: ScheduleId): Promise<Dispatch> {
    return this.#connection.call(Dispatch, `/schedules/${id}/run`, { method: 'POST' });
  }

  remove(id: ScheduleId): Promise<Schedule> {
    return this.#connection.call(Schedule, `/schedules/${id}`, { method: 'DELETE' });
  }
}
