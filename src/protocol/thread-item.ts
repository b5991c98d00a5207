import * as z from 'zod';
import { DispatchId, RunId } from './id.js';
import { PendingPromptItem, ResolvedPromptItem } from './item.js';
import { Outcome } from './outcome.js';

const text = z.string();
/** The place in the thread of the event that began the item. */
const place = { seq: z.int().positive(), timestamp: z.iso.datetime() };

/** What a person or a program said to the agent. */
export const UserText = z.object({
  type: z.literal('user_text'),
  ...place,
  text,
  actor: text,
  dispatchId: DispatchId.optional(),
  attachments: z.array(text).optional(),
});

/** What a person sees in a thread, folded from its events; the shapes of prompts are those that integrators know. */
export const ThreadItem = z.discriminatedUnion('type', [
  UserText,
  z.object({ type: z.literal('assistant_text'), ...place, text }),
  z.object({ type: z.literal('thinking'), ...place, text }),
  z.object({
    type: z.literal('tool_call'),
    ...place,
    id: text,
    tool: text,
    /** Missing when the call began before the part of the thread that was read. */
    params: z.record(z.string(), z.unknown()).optional(),
    parentToolUseId: text.optional(),
    agentId: text.optional(),
    /** Missing while the tool runs. */
    result: z.object({ success: z.boolean(), summary: text, durationMs: z.number() }).optional(),
  }),
  z.object({ type: z.literal('prompt'), ...place, item: PendingPromptItem }),
  z.object({ type: z.literal('prompt_audit'), ...place, item: ResolvedPromptItem }),
  z.object({
    type: z.literal('outcome'),
    ...place,
    dispatchId: DispatchId,
    outcome: Outcome,
    /** When the next try may begin; missing on the last word of a dispatch. */
    retryAt: z.iso.datetime().optional(),
    isLast: z.boolean(),
  }),
  z.object({ type: z.literal('run'), ...place, runId: RunId, what: z.enum(['started', 'ended']), text }),
  z.object({ type: z.literal('notice'), ...place, level: z.enum(['info', 'warning', 'error']), text }),
]);
export type ThreadItem = z.infer<typeof ThreadItem>;
