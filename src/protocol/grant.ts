import * as z from 'zod';
import { PromptId } from './id.js';
import { PromptActor } from './prompt.js';

/** An approval that holds for a whole thread: this tool with exactly this input is not asked again. */
export const Grant = z.object({
  promptId: PromptId,
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  actor: PromptActor,
  createdAt: z.iso.datetime(),
});
export type Grant = z.infer<typeof Grant>;

export const GrantList = z.object({ grants: z.array(Grant), next: z.string().optional() });
export type GrantList = z.infer<typeof GrantList>;
