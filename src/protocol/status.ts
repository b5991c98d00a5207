import * as z from 'zod';
import { PromptId } from './id.js';

const instant = z.iso.datetime();

/** Which of its retries a runtime makes because the model does not answer; `of` is missing where it goes on without end. */
export const ModelRetry = z.object({
  attempt: z.int().positive(),
  of: z.int().positive().optional(),
});
export type ModelRetry = z.infer<typeof ModelRetry>;

/** What an agent is doing now. */
export const AgentStatus = z.discriminatedUnion('state', [
  z.object({ state: z.literal('initializing') }),
  z.object({ state: z.literal('idle') }),
  z.object({
    state: z.literal('busy'),
    since: instant,
    modelRetry: ModelRetry.optional().describe('The model does not answer; nothing is done until it does.'),
  }),
  z.object({
    state: z.literal('question'),
    promptId: PromptId.optional(),
    prompt: z.string().optional(),
    since: instant,
    held: z.boolean(),
  }),
  z.object({ state: z.literal('crashed'), exitCode: z.int().nullable(), signal: z.string().optional() }),
  z.object({ state: z.literal('oomKilled') }),
  z.object({ state: z.literal('stopped') }),
  z.object({ state: z.literal('unknown') }),
]);
export type AgentStatus = z.infer<typeof AgentStatus>;

export const Confidence = z.enum(['authoritative', 'strong', 'weak']);
export type Confidence = z.infer<typeof Confidence>;

/** A past-tense observation about an agent; the arbiter folds these into a status. */
export const StatusFact = z.enum([
  'launched',
  'sign_of_life',
  'message_accepted',
  'turn_started',
  'turn_ended',
  'tool_started',
  'tool_ended',
  'background_opened',
  'background_closed',
  'said_busy',
  'said_idle',
  'said_asking',
  'model_retried',
  'model_answered',
  'exited',
]);
export type StatusFact = z.infer<typeof StatusFact>;

export const StatusEvidence = z.object({
  fact: StatusFact,
  source: z.string(),
  confidence: Confidence,
  at: instant,
  retry: ModelRetry.optional().describe('With `model_retried`.'),
});
export type StatusEvidence = z.infer<typeof StatusEvidence>;

/** A status with the reason for it, as every consumer sees it. */
export const StatusReport = z.intersection(
  AgentStatus,
  z.object({ why: z.string(), source: z.string(), confidence: Confidence }),
);
export type StatusReport = z.infer<typeof StatusReport>;
