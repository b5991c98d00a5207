import * as z from 'zod';
import { Budget, BudgetRequest, Spent } from './budget.js';
import { DispatchRequest, DispatchState, RequestedWork } from './dispatch.js';
import { DispatchId, ScheduleId, ThreadId } from './id.js';
import { Outcome } from './outcome.js';
import { Posture } from './posture.js';
import { UnansweredRules } from './prompt.js';
import { requestObject } from './request-object.js';
import { ThreadName } from './thread-name.js';

const instant = z.iso.datetime();

/** What becomes of times at which no worker ran. */
export const MissedPolicy = z.enum(['once', 'skip']);
export type MissedPolicy = z.infer<typeof MissedPolicy>;

/** What becomes of a time at which earlier work of the schedule has not ended. */
export const OverlapPolicy = z.enum(['skip', 'queue', 'cancel']);
export type OverlapPolicy = z.infer<typeof OverlapPolicy>;

/** What becomes of questions that nobody answers: they wait, they end the work as blocked, or rules say after how long. */
export const ScheduleQuestions = z.union([z.enum(['wait', 'refuse']), UnansweredRules]);
export type ScheduleQuestions = z.infer<typeof ScheduleQuestions>;

/** The most that a start may be later than its time. */
export const longestJitterSeconds = 3600;

const times = {
  when: z
    .string()
    .min(1)
    .max(200)
    .describe('Plain words, such as "every weekday 7:00", or cron with five fields.'),
  timeZone: z.string().min(1).max(100).describe('An IANA name, such as Europe/Berlin.'),
  missed: MissedPolicy.describe(
    'What becomes of times at which no worker ran: all of them together once, or nothing.',
  ),
  overlap: OverlapPolicy.describe(
    'What becomes of a time while earlier work of the schedule has not ended: nothing, it waits, or the earlier work is cancelled.',
  ),
  jitterSeconds: z
    .int()
    .min(0)
    .max(longestJitterSeconds)
    .describe('Starts up to so many seconds later, each time differently.'),
  unanswered: ScheduleQuestions.describe(
    'What becomes of questions that nobody answers: `wait` for a person, `refuse` (the work ends as blocked), or rules by kind.',
  ),
};

const ofEachRun = {
  thread: true,
  name: true,
  notBefore: true,
  noInput: true,
  unanswered: true,
} as const;
const workShape = z.object(DispatchRequest.shape).omit(ofEachRun).shape;

/** The body that makes a schedule; its work is new work in a workspace each time, or goes on in one thread. */
export const ScheduleRequest = requestObject({
  name: ThreadName.optional().describe('Its name; without one it gets one from the work.'),
  when: times.when,
  timeZone: times.timeZone
    .optional()
    .describe("An IANA name; the worker's own time zone unless it is given."),
  missed: times.missed.optional(),
  overlap: times.overlap.optional(),
  jitterSeconds: times.jitterSeconds.optional(),
  unanswered: times.unanswered,
  budget: BudgetRequest.optional().describe(
    'What all of its times together may spend; each one has `work.budget`.',
  ),
  work: requestObject({ ...workShape, thread: ThreadId.optional() })
    .refine(({ text }) => text.trim() !== '', {
      path: ['text'],
      message: 'Say what to do: the text is blank.',
    })
    .refine((work) => work.thread !== undefined || work.workspace !== undefined, {
      path: ['workspace'],
      message: 'Name a workspace, or a thread to continue.',
    }),
});
export type ScheduleRequest = z.infer<typeof ScheduleRequest>;

/** What became of one time of a schedule. */
export const ScheduleRun = z.object({
  id: z.string(),
  scheduleId: ScheduleId,
  /** The time that it was for; missing where a person asked for it. */
  tickAt: instant.optional(),
  at: instant,
  result: z
    .enum(['started', 'skipped', 'missed', 'failed'])
    .describe(
      '`skipped`: earlier work had not ended. `missed`: no worker ran. `failed`: the work could not be taken in.',
    ),
  /** How many times it stands for, where several were missed; 100 stands for that many or more. */
  ticks: z.int().positive().optional(),
  actor: z.string(),
  reason: z.string().optional(),
  dispatchId: DispatchId.optional(),
  threadId: ThreadId.optional(),
  state: DispatchState.optional().describe('Of the dispatch, as long as its thread is kept.'),
  outcome: Outcome.pick({
    result: true,
    exitCode: true,
    reason: true,
    verification: true,
    costUsd: true,
  }).optional(),
});
export type ScheduleRun = z.infer<typeof ScheduleRun>;

/** The work of a schedule as it is shown; what its environment holds is not. */
const ScheduledWork = RequestedWork.omit({
  ...ofEachRun,
  thread: true,
  attachments: true,
  posture: true,
}).extend({
  thread: ThreadId.optional(),
  posture: Posture.pick({ permissionMode: true, command: true, model: true, toolPreset: true }).optional(),
});

/** Work that is given again and again. */
export const Schedule = z.object({
  id: ScheduleId,
  name: z.string(),
  ...times,
  cron: z.string().describe('The times as cron; of the plain words, too.'),
  state: z.enum(['active', 'paused']),
  work: ScheduledWork,
  nextAt: instant.optional().describe('The next time; missing while it is paused.'),
  budget: Budget.optional().describe('What all of its times together may spend.'),
  spent: Spent.optional().describe('What all of its times together have used.'),
  waitingAt: instant.optional().describe('A time whose work waits for the end of earlier work.'),
  lastRun: ScheduleRun.optional(),
  actor: z.string().describe('Who made it.'),
  createdAt: instant,
});
export type Schedule = z.infer<typeof Schedule>;
