import type { AnswersByQuestion, Question } from '../../protocol/question.js';
import type { WireQuestion } from './wire.js';

/** The questions of a `question` call, in our words. */
export function opencodeQuestions(questions: readonly WireQuestion[]): Question[] {
  return questions.map(({ question, header, multiple, options }) => ({
    question,
    ...(header ? { header } : {}),
    multiSelect: multiple === true,
    options: options.map(({ label, description }) => ({
      label,
      ...(description ? { description } : {}),
    })),
  }));
}

/** The answers as OpenCode takes them: a list for each question, of labels or of what the person wrote. */
export function opencodeAnswers(questions: readonly WireQuestion[], answers: AnswersByQuestion): string[][] {
  return questions.map(({ question, multiple, options }) => {
    const answer = answers[question];
    if (answer === undefined) return [];
    return multiple === true
      ? (labelsIn(
          answer,
          options.map(({ label }) => label),
        ) ?? [answer])
      : [answer];
  });
}

/** Several labels come as one text; null when it is another text. */
function labelsIn(answer: string, labels: readonly string[]): string[] | null {
  if (labels.includes(answer)) return [answer];
  const parts = answer.split(', ');
  return parts.every((part) => labels.includes(part)) ? parts : null;
}

/** What the model hears in place of answers when nobody gave one. */
export function nobodyAnswered(questions: readonly WireQuestion[], why: string): string[][] {
  return questions.map(() => [`Nobody answered: ${why} Do not take this for an answer.`]);
}
