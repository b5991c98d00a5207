import { delayMs } from '../../domain/schedule/due-ticks.js';
import type { DispatchRequest } from '../../protocol/dispatch.js';
import type { StoredSchedule } from '../../store/stored-schedule.js';

/** In whose name a schedule gives work. */
export function scheduleActor({ name }: Pick<StoredSchedule, 'name'>): string {
  return `schedule:${name}`;
}

/** The work of one time. */
export function scheduledWork(
  schedule: Pick<StoredSchedule, 'work' | 'unanswered' | 'name'>,
): DispatchRequest {
  const { work, unanswered, name } = schedule;
  return {
    ...work,
    labels: { ...work.labels, schedule: name },
    // Nobody may be there to see that it failed.
    onFailure: work.onFailure ?? 'escalate',
    ...(unanswered === 'refuse' && { noInput: true }),
    ...(typeof unanswered === 'object' && { unanswered }),
  };
}

/** How much later than its time a time of a schedule is due. */
export function scheduleDelay(
  { id, jitterSeconds }: Pick<StoredSchedule, 'id' | 'jitterSeconds'>,
  tick: number,
): number {
  return delayMs({ key: id, tick, jitterSeconds });
}

/** The schedule with another next time, or none. */
export function withNextTick(
  schedule: Omit<StoredSchedule, 'decidedAt'>,
  next: number | null,
  decidedAt: string,
): StoredSchedule {
  const { nextAt: _next, dueAt: _due, ...rest } = schedule;
  const changed = { ...rest, revision: schedule.revision + 1, decidedAt };
  if (next === null) return changed;
  const dueAt = new Date(next + scheduleDelay(schedule, next)).toISOString();
  return { ...changed, nextAt: new Date(next).toISOString(), dueAt };
}

/** The schedule without work that waits for the end of earlier work. */
export function withoutWaiting(schedule: StoredSchedule): StoredSchedule {
  const { waitingAt: _waiting, ...rest } = schedule;
  return rest;
}
