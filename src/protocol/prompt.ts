import * as z from 'zod';
import { PromptId, ThreadId } from './id.js';
import { longestAnswer, Question } from './question.js';
import { requestObject } from './request-object.js';

const instant = z.iso.datetime();

export const PromptKind = z.enum(['text', 'approval', 'ask_user_question']);
export type PromptKind = z.infer<typeof PromptKind>;

export const PromptState = z.enum(['pending', 'answered', 'cancelled', 'failed']);
export type PromptState = z.infer<typeof PromptState>;

/** What a person chose for one question; several values only where several may be chosen. */
export const QuestionAnswer = z.object({ question: z.string(), answer: z.array(z.string()).min(1) });
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

/** A decision about an action, richer than yes or no. */
export const ApprovalDecision = z.object({
  approved: z.boolean(),
  scope: z.enum(['once', 'thread']).optional(),
  updatedInput: z.record(z.string(), z.unknown()).optional(),
  message: z.string().optional(),
});
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

const bounded = z.string().max(longestAnswer);
const mostAnswers = 1000;

/** What a person chose, as a request may have it. */
export const QuestionAnswerRequest = requestObject({
  ...QuestionAnswer.shape,
  answer: z.array(bounded).min(1).max(mostAnswers),
});

const structuredAnswer = { answers: z.array(QuestionAnswerRequest).min(1).max(mostAnswers) };
const decisionAnswer = {
  decision: requestObject({ ...ApprovalDecision.shape, message: bounded.optional() }),
};
const textAnswer = { text: bounded };

/** An answer: structured, a decision, or plain text that is mapped. */
export const Answer = z.union([
  requestObject(structuredAnswer),
  requestObject(decisionAnswer),
  requestObject(textAnswer),
]);
export type Answer = z.infer<typeof Answer>;

/** The longest time for which an answer can be held back. */
export const longestHoldSeconds = 60;

const hold = {
  holdSeconds: z
    .number()
    .min(0)
    .max(longestHoldSeconds)
    .optional()
    .describe('For so long the answer can be undone, and the agent does not get it. 0 by default.'),
};

/** The body of an answer, which may be held back for a while. */
export const AnswerRequest = z.union([
  requestObject({ ...structuredAnswer, ...hold }),
  requestObject({ ...decisionAnswer, ...hold }),
  requestObject({ ...textAnswer, ...hold }),
]);
export type AnswerRequest = z.infer<typeof AnswerRequest>;

/** The action that an approval is bound to; the digest covers tool, input, real directory and image. */
export const PromptAction = z.object({
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  digest: z.string(),
  /** Why the agent wants it, in its own words; the digest does not cover it. */
  reason: z.string().optional(),
});
export type PromptAction = z.infer<typeof PromptAction>;

export const UnansweredPolicy = z.enum(['wait', 'deny', 'default_option', 'fail']);
export type UnansweredPolicy = z.infer<typeof UnansweredPolicy>;

const rule = <Policies extends readonly ['deny', ...UnansweredPolicy[]]>(policies: Policies) =>
  requestObject({ afterSeconds: z.number().positive(), policy: z.enum(policies) }).optional();

/** What happens to prompts that nobody answers in time, by kind; without a rule they wait. */
export const UnansweredRules = requestObject({
  text: rule(['deny', 'fail']),
  // Silence is never consent, so an approval has no default.
  approval: rule(['deny', 'fail']),
  ask_user_question: rule(['deny', 'default_option', 'fail']),
});
export type UnansweredRules = z.infer<typeof UnansweredRules>;

/** Who settled a prompt; always the truth. */
export const PromptActor = z.union([
  z.templateLiteral([z.literal('user:'), z.string()]),
  z.enum(['policy:deadline', 'policy:autonomous', 'policy:grant', 'recorded_answer']),
  // A rule that a person has made and switched on, and which version of it.
  z.templateLiteral([z.literal('policy:'), z.string(), z.literal('@'), z.int()]),
]);
export type PromptActor = z.infer<typeof PromptActor>;

export const SettledReason = z.enum([
  'worker_restart',
  'worker_shutdown',
  'turn_cancelled',
  'dispatch_cancelled',
  'timeout',
  'deadline',
  'superseded',
  'runtime_gone',
  'server_gave_up',
]);
export type SettledReason = z.infer<typeof SettledReason>;

/** A question waiting for a person, as the API shows it. */
export const Prompt = z.object({
  id: PromptId,
  threadId: ThreadId,
  kind: PromptKind,
  state: PromptState,
  active: z.boolean(),
  questions: z.array(Question),
  action: PromptAction.optional(),
  fingerprint: z.string(),
  answers: z.array(QuestionAnswer).optional(),
  decision: ApprovalDecision.optional().describe(
    'What was decided about the action, where the answer said more than yes or no; `updatedInput` is what was approved in place of `action.input`.',
  ),
  actor: PromptActor.optional(),
  reason: z.string().optional(),
  deadline: instant.optional(),
  onUnanswered: UnansweredPolicy,
  undoUntil: instant
    .optional()
    .describe('The answer is held back until then; whoever gave it can undo it, and then it is accepted.'),
  secretFrom: PromptActor.optional().describe(
    'Who has given the secret that this prompt asks for. It is in the memory of the worker only, until the agent asks again and gets it; a worker that stops forgets it, and the prompt is still open.',
  ),
  acceptedAt: instant.optional(),
  deliveredAt: instant.optional(),
  consumedAt: instant.optional(),
  createdAt: instant,
});
export type Prompt = z.infer<typeof Prompt>;
