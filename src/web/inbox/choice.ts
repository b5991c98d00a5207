import * as z from 'zod';
import type { QuestionAnswer } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';

/** What is chosen for one question so far: options, and words of one's own. */
export const Choice = z.object({ labels: z.array(z.string()).readonly(), text: z.string() }).readonly();
export type Choice = z.infer<typeof Choice>;

export const noChoice: Choice = { labels: [], text: '' };

/** Chooses an option; where several may be chosen, chooses it or not. */
export function toggled(question: Question, choice: Choice, label: string): Choice {
  if (!question.multiSelect) return { labels: [label], text: '' };
  const { labels } = choice;
  return {
    ...choice,
    labels: labels.includes(label) ? labels.filter((each) => each !== label) : [...labels, label],
  };
}

/** Words of one's own; they stand beside options only where several answers are possible. */
export function worded(question: Question, choice: Choice, text: string): Choice {
  return question.multiSelect ? { ...choice, text } : { labels: text === '' ? choice.labels : [], text };
}

/** The answers as the API takes them, or null while a question has none; options are told in the order they were offered. */
export function answersOf(
  questions: readonly Question[],
  choices: readonly Choice[],
): QuestionAnswer[] | null {
  const answers = questions.map(({ question, options, isSecret }, index) => {
    const { labels, text } = choices[index] ?? noChoice;
    const chosen = options.map(({ label }) => label).filter((label) => labels.includes(label));
    const own = isSecret ? text : text.trim();
    return { question, answer: own === '' ? chosen : [...chosen, own] };
  });
  return answers.every(({ answer }) => answer.length > 0) ? answers : null;
}
