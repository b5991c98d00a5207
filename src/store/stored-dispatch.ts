import * as z from 'zod';
import { Allowance } from '../protocol/budget.js';
import { Attempt, Dispatch, RequestedWork } from '../protocol/dispatch.js';
import { PromptId } from '../protocol/id.js';
import { Lease } from './lease.js';

/** A try with the time that its agent has worked; waiting for a person does not count. */
export const StoredAttempt = Attempt.extend({ activeMs: z.int().nonnegative() });
export type StoredAttempt = z.infer<typeof StoredAttempt>;

/** A dispatch with the request it was made from, whose text may have been changed since, and its lease while a worker executes it. */
export const StoredDispatch = Dispatch.extend({
  attempts: z.array(StoredAttempt),
  request: RequestedWork,
  idempotencyKey: z.string().optional(),
  lease: Lease.optional(),
  allowance: Allowance.optional(),
  /** The prompt whose answer decides whether failed work is tried again, or spends more. */
  decision: PromptId.optional(),
});
export type StoredDispatch = z.infer<typeof StoredDispatch>;

/** A dispatch as it is admitted: nobody has tried it yet. */
export type NewDispatch = Omit<StoredDispatch, 'attempts' | 'lease'>;
