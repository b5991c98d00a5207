import * as z from 'zod';
import { Budget } from './budget.js';
import { WorkSettled } from './changes.js';
import { Container } from './container.js';
import { DispatchState } from './dispatch.js';
import { DispatchId, ThreadId } from './id.js';
import { Outcome } from './outcome.js';
import { RuntimeName } from './posture.js';
import { StatusReport } from './status.js';
import { ThreadName } from './thread-name.js';
import { Workspace } from './workspace.js';

/** Tokens and money; a cost that nobody knows is null, never 0. */
export const Usage = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative().nullable(),
});
export type Usage = z.infer<typeof Usage>;

/** That somebody has opened the session of a thread in the runtime's own program. */
export const ThreadTerminal = z.object({
  openedBy: z.string(),
  openedAt: z.iso.datetime(),
  sessionId: z.string().describe('The session of the runtime that is open there now.'),
});
export type ThreadTerminal = z.infer<typeof ThreadTerminal>;

/** That somebody put a thread off until later; whatever it asks or fails at afterwards brings it back at once. */
export const ThreadSnooze = z.object({
  at: z.iso.datetime().describe('When that was said.'),
  until: z.iso.datetime().describe('From then on it is listed as before.'),
  by: z.string(),
  hadFailed: z.boolean().describe('Whether its work had failed by then.'),
});
export type ThreadSnooze = z.infer<typeof ThreadSnooze>;

/** A conversation with one agent in one workspace. */
export const Thread = z.object({
  id: ThreadId,
  name: ThreadName.optional().describe('Unique among the threads that are not archived.'),
  title: z.string(),
  runtime: RuntimeName,
  workspace: Workspace,
  container: Container.pick({ image: true, engine: true })
    .optional()
    .describe(
      'In which container its agent works; without one it works as a plain process with the rights of the worker.',
    ),
  status: StatusReport,
  lastSeq: z.int().nonnegative(),
  usage: Usage,
  budget: Budget.optional().describe('What all of its work may spend; then a person is asked.'),
  /** The newest piece of work that was given to it. */
  lastDispatch: z
    .object({
      id: DispatchId,
      state: DispatchState,
      result: Outcome.shape.result.optional(),
      why: z.string().optional().describe('Why it did not succeed, as a sentence.'),
      said: z
        .string()
        .optional()
        .describe('What its agent said last about work that succeeded, as one line.'),
      waitsFor: z.enum(['quota']).optional(),
      notBefore: z.iso.datetime().optional().describe('Until when it waits, with `waitsFor`.'),
    })
    .optional(),
  settled: WorkSettled.optional().describe(
    'What became of its work: landed by a merge, in a folder or with a pull request, or discarded.',
  ),
  /** What its agent is doing, in a few words; missing while it rests, and when nothing was heard of it since the worker started. */
  activity: z.string().optional(),
  createdAt: z.iso.datetime(),
  importedFrom: z
    .string()
    .optional()
    .describe('The id that it had elsewhere; an imported thread stays archived.'),
  terminal: ThreadTerminal.optional().describe(
    "Who has it open in the runtime's own program; work and messages wait until that ends.",
  ),
  snoozed: ThreadSnooze.optional().describe('Until when it is put off; the time may have passed.'),
  archivedAt: z.iso.datetime().optional().describe('Since when it is out of the way; it can only be read.'),
  eventsIn: z
    .string()
    .optional()
    .describe("The file that its events were moved to, on the worker's machine; handraise import reads it."),
});
export type Thread = z.infer<typeof Thread>;
