import * as z from 'zod';

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
  options: z.array(QuestionOption),
});
export type Question = z.infer<typeof Question>;

/** An answer per question text: a label, labels joined by ", ", or free text. */
export const AnswersByQuestion = z.record(z.string(), z.string());
export type AnswersByQuestion = z.infer<typeof AnswersByQuestion>;
