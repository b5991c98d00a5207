import type { QuestionAnswer } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import type { Key } from '../terminal/key.js';
import { type ChoiceList, openList, pressed } from './choice-list.js';

/** The questions of a prompt, one at a time; those before were answered and can be gone back to. */
export interface QuestionForm {
  readonly lists: readonly ChoiceList[];
  readonly answers: readonly QuestionAnswer[];
  readonly place: number;
}

/** What a key came to: another look, all answers, or the wish to leave. */
export type FormStep =
  | { readonly kind: 'form'; readonly form: QuestionForm }
  | { readonly kind: 'answers'; readonly answers: readonly QuestionAnswer[] }
  | { readonly kind: 'leave' };

export function openForm(questions: readonly Question[]): QuestionForm {
  return { lists: questions.map((question) => openList(question)), answers: [], place: 0 };
}

export function step(form: QuestionForm, key: Key): FormStep {
  const list = form.lists[form.place];
  if (!list) return { kind: 'leave' };
  const result = pressed(list, key);
  switch (result.kind) {
    case 'leave':
      return result;
    case 'back':
      return { kind: 'form', form: { ...form, place: Math.max(0, form.place - 1) } };
    case 'list':
      return { kind: 'form', form: withList(form, result.list) };
    case 'answer': {
      const { question } = list.question;
      const answers = [...form.answers.slice(0, form.place), { question, answer: result.answer }];
      const kept = form.answers.slice(form.place + 1);
      const next = form.place + 1;
      if (next === form.lists.length) return { kind: 'answers', answers };
      return {
        kind: 'form',
        form: { ...withList(form, result.list), answers: [...answers, ...kept], place: next },
      };
    }
    default:
      return result satisfies never;
  }
}

function withList(form: QuestionForm, list: ChoiceList): QuestionForm {
  return { ...form, lists: form.lists.with(form.place, list) };
}
