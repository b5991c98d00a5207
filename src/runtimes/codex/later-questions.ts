import * as z from 'zod';
import type { AnswersByQuestion, Question } from '../../protocol/question.js';

const Message = z.looseObject({
  type: z.literal('agentMessage'),
  id: z.string(),
  questions: z.array(z.looseObject({ title: z.string(), options: z.array(z.string()).nullish() })),
});

/** Questions in a message of Codex, which goes on working and takes the answers when they come. */
export interface LaterQuestions {
  readonly id: string;
  readonly questions: Question[];
}

/**
 * What an item asks by the way, or null. Known from Codex's own types (`request_user_input_async`); no model that can be
 * scripted is offered the tool, so that nobody has seen one.
 */
export function laterQuestions(item: unknown): LaterQuestions | null {
  const message = Message.safeParse(item);
  if (!message.success || message.data.questions.length === 0) return null;
  const { id, questions } = message.data;
  return {
    id,
    questions: questions.map(({ title, options }) => ({
      question: title,
      multiSelect: false,
      options: (options ?? []).map((label) => ({ label })),
    })),
  };
}

/** The answers, as Codex is told them inside of its turn. */
export function laterAnswers(answers: AnswersByQuestion): string {
  const said = Object.entries(answers).map(
    ([question, answer]) => `Question: ${question}\nAnswer: ${answer}`,
  );
  return `Here is the answer to your question.\n\n${said.join('\n\n')}`;
}
