import type { Answer, Prompt } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { partsOf } from './answer.js';

/** What a person typed, as an answer; or why it is none, and what to type instead. */
export type TypedAnswer =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly why: string };

const approving = new Set(['approve', 'approved', 'yes', 'y', 'ok', 'allow']);
const denying = new Set(['deny', 'denied', 'no', 'n', 'reject']);

/**
 * What the words of a person decide about an action; null for any others.
 * Numbers decide nothing here: whoever typed one may have meant another question.
 */
export function typedDecision(text: string): 'approve' | 'deny' | null {
  const words = text
    .toLowerCase()
    .split(/[\s.,;:!'"]+/)
    .filter((word) => word !== '' && word !== 'please');
  const [word = '', ...more] = words;
  if (more.length > 0) return null;
  if (approving.has(word)) return 'approve';
  return denying.has(word) ? 'deny' : null;
}

/** Why a person says no, where they begin with the word; null for any other text. */
export function typedDenial(text: string): string | null {
  const [word = ''] = /^(?:no|deny)(?=[\s,;:])/i.exec(text) ?? [];
  const message = text.slice(word.length).replace(/^[\s,;:]+/, '');
  return word === '' || message === '' ? null : message;
}

/** Reads what a person typed; unlike a text that is posted into a thread it may be refused, because they can be asked again. */
export function typedAnswer(
  { kind, questions }: Pick<Prompt, 'kind' | 'questions'>,
  text: string,
): TypedAnswer {
  if (text.trim() === '') return { ok: false, why: 'The answer is empty.' };
  if (kind === 'approval') {
    const decision = typedDecision(text);
    return decision === null
      ? { ok: false, why: 'This is an approval: the answer is approve or deny.' }
      : { ok: true, answer: { decision: { approved: decision === 'approve' } } };
  }
  const parts = questions.length === 1 ? [text] : partsOf(text, questions.length);
  if (parts === null)
    return {
      ok: false,
      why: `There are ${questions.length} questions: give one answer for each, as 1) … 2) …`,
    };
  for (const [index, question] of questions.entries()) {
    const wrong = wrongNumbers(parts[index] ?? '', question);
    const which = questions.length === 1 ? 'The question' : `Question ${index + 1}`;
    if (wrong !== null) return { ok: false, why: `${which} ${wrong}.` };
  }
  return { ok: true, answer: { text } };
}

/** What is wrong with a text that is nothing but numbers of options; null for any other, and when nothing is. */
function wrongNumbers(text: string, { options, multiSelect }: Question): string | null {
  if (options.length === 0 || !/^[\s,]*\d+(?:[\s,]+\d+)*[\s,]*$/.test(text)) return null;
  if (options.some(({ label }) => label.trim() === text.trim())) return null;
  const numbers = text.split(/[\s,]+/).filter((part) => part !== '');
  const stray = numbers.find((part) => Number(part) < 1 || Number(part) > options.length);
  const has = options.length === 1 ? '1 option' : `${options.length} options`;
  if (stray !== undefined) return `has ${has}; ${stray} is not one of them`;
  return multiSelect || numbers.length === 1 ? null : `takes one option, not ${numbers.length}`;
}
