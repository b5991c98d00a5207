import * as z from 'zod';
import { RequestedWork } from '../protocol/dispatch.js';
import { Schedule, ScheduleRun } from '../protocol/schedule.js';

const instant = z.iso.datetime();

/** A schedule with what only the host needs to know about it. */
export const StoredSchedule = Schedule.omit({ lastRun: true }).extend({
  work: RequestedWork,
  /** Raised with every change; whoever decided on an older one is refused. */
  revision: z.int().nonnegative(),
  /** When the next time is due, its jitter counted. */
  dueAt: instant.optional(),
  /** When it was last decided what comes next; a clock that is set back afterwards shows. */
  decidedAt: instant,
});
export type StoredSchedule = z.infer<typeof StoredSchedule>;

/** What became of one time, as it was written then; how its work stands is read from the work. */
export type NewScheduleRun = Omit<ScheduleRun, 'state' | 'outcome'>;
