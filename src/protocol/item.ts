import * as z from 'zod';
import { AttachmentRequest } from './attachment.js';
import { PromptId } from './id.js';
import {
  ApprovalDecision,
  PromptActor,
  PromptKind,
  QuestionAnswer,
  QuestionAnswerRequest,
} from './prompt.js';
import { Question } from './question.js';
import { requestObject } from './request-object.js';

/** What an item says, as a list of texts. */
export const ItemContent = z.array(z.object({ type: z.literal('text'), text: z.string() })).min(1);
export type ItemContent = z.infer<typeof ItemContent>;

const content = ItemContent;

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
      decision: ApprovalDecision.optional(),
      reason: z.string().nullable(),
      actor: PromptActor.optional(),
    }),
  }),
});
export type ResolvedPromptItem = z.infer<typeof ResolvedPromptItem>;

/** What a person posts into a thread: a message, or the answer to a prompt. */
export const UserItem = requestObject({
  content: z.array(requestObject({ type: z.literal('text'), text: z.string() })).min(1),
  attachments: z.array(AttachmentRequest).optional(),
  /** The last event that the sender had seen. */
  seenSeq: z.int().nonnegative().optional(),
  metadata: requestObject({
    queue: z.boolean().optional(),
    type: z.string().optional().describe('Of the item that is answered, where it is sent back.'),
    // An integrator may send back the whole prompt with its answers, and a prompt of a newer worker says more.
    prompt: z
      .looseObject({ prompt_id: PromptId, answers: z.array(QuestionAnswerRequest).optional() })
      .optional(),
  }).optional(),
});
export type UserItem = z.infer<typeof UserItem>;
