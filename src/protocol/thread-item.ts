import * as z from 'zod';
import { DispatchId, RunId } from './id.js';
import { ItemContent, PendingPromptItem, ResolvedPromptItem } from './item.js';
import { Outcome } from './outcome.js';

const text = z.string();
const content = ItemContent;
/** The place in the thread of the event that began the item, and the item's name. */
const place = {
  id: z.templateLiteral(['itm_', z.int().positive()]).describe('Unique in its thread.'),
  seq: z.int().positive(),
  timestamp: z.iso.datetime(),
};

/** What a person or a program said to the agent. */
export const UserText = z.object({
  type: z.literal('user_text'),
  ...place,
  content,
  actor: text,
  dispatchId: DispatchId.optional(),
  attachments: z.array(text).optional(),
});

/** What a person sees in a thread, folded from its events; the shapes of prompts are those that integrators know. */
export const ThreadItem = z.discriminatedUnion('type', [
  UserText,
  z.object({ type: z.literal('assistant_text'), ...place, content }),
  z.object({ type: z.literal('thinking'), ...place, content }),
  z.object({
    type: z.literal('tool_call'),
    ...place,
    toolUseId: text,
    tool: text,
    /** Missing when the call began before the part of the thread that was read. */
    params: z.record(z.string(), z.unknown()).optional(),
    /** What it ran with, where somebody changed what the agent had proposed. */
    ranWith: z.record(z.string(), z.unknown()).optional(),
    parentToolUseId: text.optional(),
    agentId: text.optional(),
    /** It has not run: a person is asked first, and the agent may sleep meanwhile. */
    isAsked: z.literal(true).optional(),
    /** Missing while the tool runs. */
    result: z
      .object({
        success: z.boolean(),
        summary: text,
        durationMs: z.number(),
        /** How long the output is, where `summary` is only its beginning, and how much of it can be read. */
        outputLength: z.int().optional(),
        outputKept: z.int().optional(),
      })
      .optional(),
  }),
  z.object({ type: z.literal('prompt'), ...place, ...PendingPromptItem.shape }),
  z.object({ type: z.literal('prompt_audit'), ...place, ...ResolvedPromptItem.shape }),
  z.object({
    type: z.literal('outcome'),
    ...place,
    dispatchId: DispatchId,
    outcome: Outcome,
    /** When the next try may begin; missing on the last word of a dispatch. */
    retryAt: z.iso.datetime().optional(),
    isLast: z.boolean(),
  }),
  z.object({ type: z.literal('run'), ...place, runId: RunId, what: z.enum(['started', 'ended']), content }),
  z.object({ type: z.literal('notice'), ...place, level: z.enum(['info', 'warning', 'error']), content }),
]);
export type ThreadItem = z.infer<typeof ThreadItem>;
