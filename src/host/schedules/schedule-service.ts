import { expectTimes, ticksOf } from '../../domain/schedule/timetable.js';
import { cronOf } from '../../domain/schedule/when.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ScheduleId } from '../../protocol/id.js';
import { Schedule, type ScheduleRequest, type ScheduleRun } from '../../protocol/schedule.js';
import type { Operation } from '../../store/operation.js';
import { largestPageBytes, type Page, type PageRequest } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import type { StoredSchedule } from '../../store/stored-schedule.js';
import { type Clock, instant } from '../clock.js';
import type { Admission } from '../dispatches/admission.js';
import type { DispatchService } from '../dispatches/dispatch-service.js';
import type { Actor, Schedules } from '../host.js';
import { scheduledWork, withNextTick, withoutWaiting } from './scheduled-work.js';

const longestSlug = 40;
const mostOfOneName = 100;
const mostPerPage = 500;

export interface ScheduleServiceParts {
  readonly store: Store;
  readonly admission: Admission;
  readonly dispatches: DispatchService;
  readonly clock: Clock;
  readonly newScheduleId: () => ScheduleId;
  readonly newUuid: () => string;
}

/** Schedules as people make, look at and change them. */
export class ScheduleService implements Schedules {
  readonly #parts: ScheduleServiceParts;

  constructor(parts: ScheduleServiceParts) {
    this.#parts = parts;
  }

  async create(request: ScheduleRequest, actor: Actor): Promise<Schedule> {
    const { admission, clock, newScheduleId } = this.#parts;
    const timeZone = request.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const timetable = { cron: cronOf(request.when), timeZone };
    expectTimes(timetable, { now: clock.now(), when: request.when });
    const { when, missed = 'once', overlap = 'skip', jitterSeconds = 0, unanswered, budget, work } = request;
    const schedule = {
      id: newScheduleId(),
      name: request.name ?? slugOf(work.text),
      when,
      ...timetable,
      state: 'active',
      missed,
      overlap,
      jitterSeconds,
      unanswered,
      ...given({ budget }),
      work,
      revision: 0,
      actor,
      createdAt: instant(clock),
    } as const;
    // What could not be taken in now could not be taken in then.
    if (budget) await admission.admit({ ...scheduledWork(schedule), budget });
    await admission.admit(scheduledWork(schedule));
    const first = withNextTick(schedule, ticksOf(schedule).after(clock.now()), instant(clock));
    return shown(await this.#insert(first, request.name === undefined));
  }

  async get(id: ScheduleId): Promise<Schedule> {
    return await this.#withLastRun(await this.#stored(id));
  }

  async list(part: PageRequest): Promise<Page<Schedule>> {
    const limit = Math.min(part.limit ?? mostPerPage, mostPerPage);
    // Half of it is for what became of their last times.
    const page = await this.#parts.store.query('schedules', {
      ...part,
      limit,
      mostBytes: largestPageBytes / 2,
    });
    const rows: Schedule[] = [];
    for (const row of page.rows) rows.push(await this.#withLastRun(row));
    return { ...page, rows };
  }

  async runs(id: ScheduleId, part: PageRequest): Promise<Page<ScheduleRun>> {
    await this.#stored(id);
    return await this.#parts.store.query('scheduleRuns', {
      order: 'newest_first',
      ...part,
      scheduleId: id,
      mostBytes: largestPageBytes,
    });
  }

  async pause(id: ScheduleId, actor: Actor): Promise<Schedule> {
    return await this.#change(id, (schedule) => {
      if (schedule.state === 'paused') return null;
      const { waitingAt } = schedule;
      const paused = {
        ...withoutWaiting(withNextTick(schedule, null, instant(this.#parts.clock))),
        state: 'paused' as const,
      };
      const dropped = {
        id: this.#parts.newUuid(),
        scheduleId: id,
        at: instant(this.#parts.clock),
        actor,
        result: 'skipped',
        reason: 'the schedule was paused while it waited',
      } as const;
      return {
        schedule: paused,
        others:
          waitingAt === undefined ? [] : [{ do: 'addScheduleRun', run: { ...dropped, tickAt: waitingAt } }],
      };
    });
  }

  /** Goes on with the next time; those of the pause are not made up for. */
  async resume(id: ScheduleId): Promise<Schedule> {
    return await this.#change(id, (schedule) => {
      if (schedule.state === 'active') return null;
      const { clock } = this.#parts;
      const next = ticksOf(schedule).after(clock.now());
      return { schedule: { ...withNextTick(schedule, next, instant(clock)), state: 'active' }, others: [] };
    });
  }

  async runNow(id: ScheduleId, actor: Actor): Promise<Dispatch> {
    const { dispatches, clock, newUuid } = this.#parts;
    const schedule = await this.#stored(id);
    const { dispatch } = await dispatches.submitWith(
      scheduledWork(schedule),
      { actor },
      ({ id: dispatchId, threadId }) => [
        {
          do: 'addScheduleRun',
          run: {
            id: newUuid(),
            scheduleId: id,
            at: instant(clock),
            actor,
            result: 'started',
            dispatchId,
            threadId,
          },
        },
      ],
    );
    return dispatch;
  }

  async remove(id: ScheduleId): Promise<Schedule> {
    const schedule = await this.get(id);
    await this.#parts.store.commit({ operations: [{ do: 'removeSchedule', id }] });
    return schedule;
  }

  async #insert(schedule: StoredSchedule, isOurName: boolean): Promise<StoredSchedule> {
    for (let number = 1; number <= (isOurName ? mostOfOneName : 1); number += 1) {
      const named = number === 1 ? schedule : { ...schedule, name: `${schedule.name}-${number}` };
      const result = await this.#parts.store.commit({
        operations: [{ do: 'insertSchedule', schedule: named }],
      });
      if (result.committed) return named;
      if (result.refusal.because !== 'condition')
        throw new Failure('home_busy', 'Another worker has taken over this home. Try again.');
    }
    throw new Failure(
      'conflict',
      `There is a schedule ${schedule.name} already. Give this one another name.`,
    );
  }

  /** Changes what is stored, again if it has moved on meanwhile; null changes nothing. */
  async #change(
    id: ScheduleId,
    decide: (
      schedule: StoredSchedule,
    ) => { readonly schedule: StoredSchedule; readonly others: readonly Operation[] } | null,
  ): Promise<Schedule> {
    for (;;) {
      const before = await this.#stored(id);
      const change = decide(before);
      if (change === null) return await this.#withLastRun(before);
      const { schedule, others } = change;
      const replace = { do: 'replaceSchedule', schedule, if: { revision: before.revision } } as const;
      const result = await this.#parts.store.commit({ operations: [replace, ...others] });
      if (result.committed) return await this.#withLastRun(schedule);
      if (result.refusal.because === 'superseded')
        throw new Failure('home_busy', 'Another worker has taken over this home. Try again.');
    }
  }

  async #stored(id: ScheduleId): Promise<StoredSchedule> {
    const schedule = await this.#parts.store.query('schedule', { id });
    if (!schedule) throw new Failure('not_found', `There is no schedule ${id}.`);
    return schedule;
  }

  async #withLastRun(schedule: StoredSchedule): Promise<Schedule> {
    const { rows } = await this.#parts.store.query('scheduleRuns', {
      scheduleId: schedule.id,
      order: 'newest_first',
      limit: 1,
    });
    return { ...shown(schedule), ...given({ lastRun: rows[0] }) };
  }
}

/** A schedule without what is only the host's: its work may hold an environment. */
function shown(schedule: StoredSchedule): Schedule {
  return Schedule.parse(schedule);
}

/** A name from the first words of the work. */
function slugOf(text: string): string {
  const words = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .split('-')
    .slice(0, 4)
    .join('-')
    .slice(0, longestSlug)
    .replace(/-+$/, '');
  return words === '' || words === 'all' || words === 'last' ? 'schedule' : words;
}
