import * as z from 'zod';
import { requestObject } from './request-object.js';

const none = 'A budget must be greater than 0. Leave it out for none.';

const shape = {
  usd: z.number().positive(none).max(1e9).optional(),
  tokens: z.int().positive(none).optional().describe('Tokens in and out together.'),
};

/** What may be spent: in dollars, in tokens, or both; whichever is used up first counts. */
export const Budget = z.object(shape);
export type Budget = z.infer<typeof Budget>;

/** A budget as a request or a setting may have it. */
export const BudgetRequest = requestObject(shape).refine(
  ({ usd, tokens }) => usd !== undefined || tokens !== undefined,
  { message: 'A budget needs usd, tokens, or both.' },
);

/** What was used; dollars are null where nobody knows them. */
export const Spent = z.object({ usd: z.number().nonnegative().nullable(), tokens: z.int().nonnegative() });
export type Spent = z.infer<typeof Spent>;

/** What a budget is for; `runtime` is a limit that the agent's own program has. */
export const BudgetLevel = z.enum(['work', 'thread', 'schedule', 'day', 'runtime']);
export type BudgetLevel = z.infer<typeof BudgetLevel>;

/** What a dispatch may spend beyond its budgets, and where its own began to count. */
export const Allowance = z.object({
  /** What the thread had used when the work began. */
  from: Spent.optional(),
  /** What people have added for this work; a thread and a schedule keep what was added to theirs. */
  raised: z.object({ work: Budget.optional(), day: Budget.optional() }).default({}),
  /** What the person is asked about, and the raise that was offered. */
  asked: z.object({ level: BudgetLevel, offer: Budget.optional() }).optional(),
  /** How many tries there were when a person decided last. */
  decidedAfter: z.int().optional(),
  /** One more turn, and then the end. */
  isClosing: z.boolean().optional(),
});
export type Allowance = z.infer<typeof Allowance>;
