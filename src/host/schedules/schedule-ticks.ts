import {
  type DueTicks,
  dueTicks,
  overlapStep,
  tickAfterWrongClock,
} from '../../domain/schedule/due-ticks.js';
import { ticksOf } from '../../domain/schedule/timetable.js';
import { cutText } from '../../protocol/cut-text.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure, type FailureCode } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ScheduleRun } from '../../protocol/schedule.js';
import type { Operation } from '../../store/operation.js';
import type { Store } from '../../store/store.js';
import type { NewScheduleRun, StoredSchedule } from '../../store/stored-schedule.js';
import { type Clock, instant } from '../clock.js';
import type { DispatchService } from '../dispatches/dispatch-service.js';
import { RepeatedLook } from '../repeated-look.js';
import type { Failpoint } from '../runs/failpoint.js';
import { ChangeRefused } from '../threads/thread-changes.js';
import {
  scheduleActor,
  scheduleDelay,
  scheduledWork,
  withNextTick,
  withoutWaiting,
} from './scheduled-work.js';

const lookMs = 1000;
const readAtOnce = 100;
const longestReason = 500;
const clockSetBackMs = 60_000;
/** What is not the work's fault, and may be over in a second. */
const passing: ReadonlySet<FailureCode> = new Set(['internal', 'home_busy']);

export interface ScheduleTicksParts {
  readonly store: Store;
  readonly dispatches: Pick<DispatchService, 'submitWith' | 'cancel'>;
  readonly clock: Clock;
  readonly newUuid: () => string;
  readonly failpoint: (name: Failpoint) => void;
  readonly log: (line: string) => void;
}

/**
 * Gives the work of schedules when its time has come. A time is decided about in one unit, which adds the work, writes down
 * what became of the time and moves the schedule on; it is refused where anything of the schedule has changed meanwhile, so
 * whoever looks, and however often, each time is decided about once.
 */
export class ScheduleTicks implements AsyncDisposable {
  readonly #parts: ScheduleTicksParts;
  readonly #looks: RepeatedLook;
  #lastLook = Number.POSITIVE_INFINITY;

  constructor(parts: ScheduleTicksParts) {
    this.#parts = parts;
    this.#looks = new RepeatedLook(
      async () =>
        await this.look().catch((error: unknown) => parts.log(`schedules: ${errorSentence(error)}`)),
      lookMs,
    );
  }

  open(): void {
    this.#looks.open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looks[Symbol.asyncDispose]();
  }

  /** Decides about everything that is due. */
  async look(): Promise<void> {
    const { store, clock, log } = this.#parts;
    const now = clock.now();
    if (now < this.#lastLook - clockSetBackMs) await this.#afterJumpBack();
    this.#lastLook = now;
    let cursor: string | undefined;
    do {
      const page = await store.query('schedules', {
        own: true,
        dueBefore: instant(clock),
        limit: readAtOnce,
        ...given({ cursor }),
      });
      for (const schedule of page.rows) {
        try {
          await this.#decide(schedule);
        } catch (error) {
          // Somebody else decided, or it was changed: what is stored is the truth, and is looked at again.
          if (!(error instanceof ChangeRefused)) log(`schedule ${schedule.name}: ${errorSentence(error)}`);
        }
      }
      cursor = page.next;
    } while (cursor !== undefined);
  }

  /** A clock that was far ahead moved schedules on to times that are far away; they come back with it. */
  async #afterJumpBack(): Promise<void> {
    const { store, clock } = this.#parts;
    let cursor: string | undefined;
    do {
      const page = await store.query('schedules', {
        active: true,
        own: true,
        limit: readAtOnce,
        ...given({ cursor }),
      });
      for (const schedule of page.rows) {
        const later = await store.query('scheduleRuns', {
          scheduleId: schedule.id,
          ticksAfter: instant(clock),
          limit: 1000,
        });
        const next = tickAfterWrongClock({
          ticks: ticksOf(schedule),
          decided: Date.parse(schedule.decidedAt),
          now: clock.now(),
          taken: new Set(
            later.rows.flatMap(({ tickAt }) => (tickAt === undefined ? [] : [Date.parse(tickAt)])),
          ),
        });
        if (next === null) continue;
        await this.#commit([replacing(schedule, withNextTick(schedule, next, instant(clock)))]);
      }
      cursor = page.next;
    } while (cursor !== undefined);
  }

  async #decide(schedule: StoredSchedule): Promise<void> {
    const { store, dispatches, clock, failpoint } = this.#parts;
    const due = this.#dueOf(schedule);
    const { rows: open } = await store.query('scheduleRuns', { scheduleId: schedule.id, open: true });
    failpoint('schedule_due');
    if (due.start === null && due.missed === null) {
      const { waitingAt } = schedule;
      if (waitingAt === undefined || open.length > 0) return;
      await this.#start(schedule, { tickAt: waitingAt, moved: raised(withoutWaiting(schedule)), others: [] });
      return;
    }
    const moved = withNextTick(schedule, due.next, instant(clock));
    const others = due.missed ? [this.#noting(schedule, missedRun(due.missed))] : [];
    if (due.start === null) {
      await this.#commit([replacing(schedule, moved), ...others]);
      return;
    }
    const tickAt = timeOf(due.start);
    const { overlap, waitingAt } = schedule;
    const step = overlapStep({ overlap, hasOpen: open.length > 0, hasWaiting: waitingAt !== undefined });
    switch (step) {
      case 'skip': {
        const reason =
          waitingAt === undefined
            ? 'earlier work has not ended'
            : 'earlier work has not ended, and one time waits already';
        await this.#commit([
          replacing(schedule, moved),
          ...others,
          this.#noting(schedule, { tickAt, result: 'skipped', reason }),
        ]);
        return;
      }
      case 'wait':
        await this.#commit([replacing(schedule, { ...moved, waitingAt: tickAt }), ...others]);
        return;
      case 'cancel_earlier':
        for (const { dispatchId } of open)
          if (dispatchId !== undefined) await dispatches.cancel(dispatchId, scheduleActor(schedule));
        failpoint('schedule_cancelled');
        await this.#start(schedule, { tickAt, moved, others });
        return;
      case 'start':
        await this.#start(schedule, { tickAt, moved, others });
        return;
      default:
        step satisfies never;
    }
  }

  #dueOf(schedule: StoredSchedule): DueTicks {
    const { nextAt, missed, jitterSeconds } = schedule;
    if (nextAt === undefined) return { start: null, missed: null, next: null };
    return dueTicks({
      ticks: ticksOf(schedule),
      first: Date.parse(nextAt),
      now: this.#parts.clock.now(),
      missed,
      delayOf: (tick) => scheduleDelay(schedule, tick),
      longestDelay: jitterSeconds * 1000,
    });
  }

  /** Work that cannot be taken in is written down, and the schedule goes on. */
  async #start(
    schedule: StoredSchedule,
    time: { readonly tickAt: string; readonly moved: StoredSchedule; readonly others: readonly Operation[] },
  ): Promise<void> {
    const { dispatches, failpoint } = this.#parts;
    const { tickAt, moved, others } = time;
    const operations = (run: RunNote): Operation[] => [
      replacing(schedule, moved),
      ...others,
      this.#noting(schedule, { tickAt, ...run }),
    ];
    try {
      await dispatches.submitWith(
        scheduledWork(schedule),
        { actor: scheduleActor(schedule) },
        ({ id, threadId }) => operations({ result: 'started', dispatchId: id, threadId }),
      );
    } catch (error) {
      if (!(error instanceof Failure) || error instanceof ChangeRefused || passing.has(error.code))
        throw error;
      await this.#commit(operations({ result: 'failed', reason: cutText(error.message, longestReason) }));
    }
    failpoint('schedule_committed');
  }

  #noting(schedule: StoredSchedule, run: RunNote): Operation {
    return {
      do: 'addScheduleRun',
      run: {
        id: this.#parts.newUuid(),
        scheduleId: schedule.id,
        at: instant(this.#parts.clock),
        actor: scheduleActor(schedule),
        ...run,
      },
    };
  }

  async #commit(operations: readonly Operation[]): Promise<void> {
    // Refused: it was changed meanwhile, and is looked at again.
    await this.#parts.store.commit({ operations });
    this.#parts.failpoint('schedule_committed');
  }
}

type RunNote = Pick<ScheduleRun, 'result'> & Partial<NewScheduleRun>;

function missedRun({ first, count }: NonNullable<DueTicks['missed']>): RunNote {
  return { tickAt: timeOf(first), result: 'missed', ticks: count, reason: 'no worker ran then' };
}

function replacing(before: StoredSchedule, schedule: StoredSchedule): Operation {
  return { do: 'replaceSchedule', schedule, if: { revision: before.revision } };
}

function raised(schedule: StoredSchedule): StoredSchedule {
  return { ...schedule, revision: schedule.revision + 1 };
}

function timeOf(moment: number): string {
  return new Date(moment).toISOString();
}
