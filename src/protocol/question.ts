import * as z from 'zod';
import { ExpectedAnswer } from './expected-answer.js';

/** How long what an agent asks may be, in characters; more is refused where it enters. */
export const askingLimits = {
  questionLength: 20_000,
  contextLength: 100_000,
  options: 100,
  labelLength: 1_000,
  descriptionLength: 20_000,
  questions: 50,
  toolLength: 500,
  reasonLength: 20_000,
} as const;

/** How long an answer may be, in characters. */
export const longestAnswer = 100_000;

/** One choice; `preview` is shown beside it. */
export const QuestionOption = z.object({
  label: z.string(),
  description: z.string().optional(),
  preview: z.string().optional(),
});
export type QuestionOption = z.infer<typeof QuestionOption>;

/** A question as an agent asks it; without options the answer is free text. */
export const Question = z.object({
  question: z.string(),
  header: z.string().optional(),
  multiSelect: z.boolean(),
  isSecret: z.boolean().optional(),
  context: z.string().optional().describe('What the agent says about it; shown with the question.'),
  options: z.array(QuestionOption),
  expects: ExpectedAnswer.optional().describe('What the answer has to be; anything else is refused.'),
  byWorker: z.literal(true).optional().describe('Handraise itself asks, and no agent waits for the answer.'),
  server: z
    .string()
    .optional()
    .describe(
      'The MCP server that asks, inside a call of one of its tools; such a question can be declined.',
    ),
  tool: z
    .string()
    .optional()
    .describe(
      "The tool of the server inside whose call it asks, by the agent's name for it, where it is known.",
    ),
});
export type Question = z.infer<typeof Question>;

/** An answer per question text: a label, labels joined by ", ", or free text. */
export const AnswersByQuestion = z.record(z.string(), z.string());
export type AnswersByQuestion = z.infer<typeof AnswersByQuestion>;
