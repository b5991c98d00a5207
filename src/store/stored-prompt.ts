import * as z from 'zod';
import { RunId } from '../protocol/id.js';
import { Answer, Prompt } from '../protocol/prompt.js';

/** A prompt with the request of the run that waits for it, and the answer's body as it was accepted. */
export const StoredPrompt = Prompt.extend({
  runId: RunId.optional(),
  requestId: z.string().optional(),
  toolUseId: z.string().optional(),
  /** What the agent left to be given back with the answer. */
  carry: z.unknown().optional(),
  answer: Answer.optional(),
});
export type StoredPrompt = z.infer<typeof StoredPrompt>;

/** A prompt as it is opened: pending, and nobody has answered. */
export type NewPrompt = Omit<
  StoredPrompt,
  'state' | 'answers' | 'answer' | 'actor' | 'reason' | 'acceptedAt' | 'deliveredAt' | 'consumedAt'
>;
