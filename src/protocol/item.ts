import * as z from 'zod';
import { Attachment } from './attachment.js';
import { PromptId } from './id.js';
import { PromptActor, PromptKind, QuestionAnswer } from './prompt.js';
import { Question } from './question.js';

const content = z.array(z.object({ type: z.literal('text'), text: z.string() })).min(1);

/** Posted in the thread when an agent asks; snake_case, because integrators already read this shape. */
export const PendingPromptItem = z.object({
  content,
  metadata: z.object({
    type: z.literal('pending_prompt'),
    prompt: z.looseObject({
      prompt_id: PromptId,
      kind: PromptKind,
      prompt_state: z.literal('pending'),
      questions: z.array(Question),
    }),
  }),
});
export type PendingPromptItem = z.infer<typeof PendingPromptItem>;

/** Posted when a prompt is settled; for the record, the agent already has the answer. */
export const ResolvedPromptItem = z.object({
  content,
  metadata: z.object({
    type: z.literal('pending_prompt_resolved'),
    prompt: z.object({
      prompt_id: PromptId,
      kind: PromptKind,
      prompt_state: z.enum(['answered', 'cancelled', 'failed']),
      answers: z.array(QuestionAnswer),
      reason: z.string().nullable(),
      actor: PromptActor.optional(),
    }),
  }),
});
export type ResolvedPromptItem = z.infer<typeof ResolvedPromptItem>;

/** What a person posts into a thread: a message, or the answer to a prompt. */
export const UserItem = z.object({
  content,
  attachments: z.array(Attachment).optional(),
  /** The last event that the sender had seen. */
  seenSeq: z.int().nonnegative().optional(),
  metadata: z
    .looseObject({
      queue: z.boolean().optional(),
      prompt: z.looseObject({ prompt_id: PromptId, answers: z.array(QuestionAnswer).optional() }).optional(),
    })
    .optional(),
});
export type UserItem = z.infer<typeof UserItem>;
