import type { AnswersByQuestion, Question } from '../../protocol/question.js';
import type { WireRequest } from './wire.js';

type Asked = WireRequest<'item/tool/requestUserInput'>['params'];

/** The questions of a `request_user_input` call, in our words. */
export function codexQuestions({ questions }: Asked): Question[] {
  return questions.map(({ question, header, isSecret, options }) => ({
    question,
    ...(header ? { header } : {}),
    multiSelect: false,
    ...(isSecret ? { isSecret } : {}),
    options: (options ?? []).map(({ label, description }) => ({
      label,
      ...(description ? { description } : {}),
    })),
  }));
}

/** The reply to it: a label where one was chosen, else what the person wrote, marked as Codex marks it. */
export function replyOf({ questions }: Asked, answers: AnswersByQuestion): object {
  const entries = questions.flatMap(({ id, question, options }) => {
    const answer = answers[question];
    if (answer === undefined) return [];
    const isFree = options && options.length > 0 && !options.some(({ label }) => label === answer);
    return [[id, { answers: [isFree ? `user_note: ${answer}` : answer] }]];
  });
  return { answers: Object.fromEntries(entries) };
}
