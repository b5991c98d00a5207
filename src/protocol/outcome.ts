import * as z from 'zod';
import { ExitCode } from './exit-code.js';

/** How execution ended, whatever the agent says about it. */
export const Execution = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('completed') }),
  z.object({ kind: z.literal('error'), error: z.string() }),
  z.object({ kind: z.literal('crashed'), exitCode: z.int().nullable(), signal: z.string().optional() }),
  z.object({ kind: z.literal('oomKilled') }),
  z.object({ kind: z.literal('timedOut') }),
  z.object({ kind: z.literal('cancelled') }),
]);
export type Execution = z.infer<typeof Execution>;

/** What the agent says about its work. */
export const Claim = z.enum(['success', 'failure', 'needs_input', 'none']);
export type Claim = z.infer<typeof Claim>;

/** What the check after the work found. */
export const Verification = z.enum(['passed', 'failed', 'not_run']);
export type Verification = z.infer<typeof Verification>;

/** How a dispatch ended: three axes, folded into one result and one exit code. */
export const Outcome = z.object({
  result: z.enum(['succeeded', 'failed', 'blocked', 'cancelled']),
  exitCode: z.literal(Object.values(ExitCode)),
  reason: z.string().optional(),
  retriable: z.boolean(),
  retryAt: z.iso
    .datetime()
    .optional()
    .describe('When the usage limit that ended it is over, where the runtime says so.'),
  execution: Execution,
  claim: Claim,
  verification: Verification,
  summary: z.string().optional(),
  output: z.string().optional().describe('The end of what a command printed that failed.'),
  /** The end of what a failed check printed. */
  verificationOutput: z.string().optional(),
  costUsd: z.number().nonnegative().optional(),
});
export type Outcome = z.infer<typeof Outcome>;
