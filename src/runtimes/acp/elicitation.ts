import * as z from 'zod';
import { expectationWords } from '../../protocol/expected-answer.js';
import { given } from '../../protocol/given.js';
import type { AnswersByQuestion, Question } from '../../protocol/question.js';
import {
  expectedIn,
  type FormField,
  fieldChoices,
  fieldOptions,
  fieldValue,
  formFields,
  isOmitted,
} from '../form-field.js';
import type { WireElicitation } from './wire.js';

const OfCodex = z.looseObject({ codex: z.looseObject({ isSecret: z.boolean().optional() }) });

/** A field that is asked, with the one beside it that takes what a person writes instead of choosing. */
interface Asked {
  readonly name: string;
  readonly field: FormField;
  readonly free: string | null;
  readonly question: Question;
  readonly choices: ReturnType<typeof fieldChoices>;
  readonly isRequired: boolean;
}

// How Codex calls the choice of the free text; who may write needs no such choice.
const noneOfThese = 'None of the above';
const besides = ['_custom', '_note'];

/** What a form makes of a person's answers: its content, or what does not fit. */
export type Filled =
  | { readonly fits: true; readonly content: Record<string, unknown> }
  | { readonly fits: false; readonly why: string };

/** The questions of a form, one for each field that is not only the free text of another; none when nothing can be asked. */
export function elicitedQuestions(elicitation: WireElicitation): Question[] {
  return askedIn(elicitation).map(({ question }) => question);
}

/** Whether every question has a place for free text: then an agent's own question tool asks, and no server's form. */
export function takesWords(elicitation: WireElicitation): boolean {
  const asked = askedIn(elicitation);
  return asked.length > 0 && asked.every(({ free }) => free !== null);
}

/** The form with these answers; each has to be what its field can hold. */
export function filledForm(elicitation: WireElicitation, answers: AnswersByQuestion): Filled {
  const content: Record<string, unknown> = {};
  for (const { name, field, free, question, choices, isRequired } of askedIn(elicitation)) {
    const answer = answers[question.question];
    if (answer === undefined || (free === null && isOmitted(answer, isRequired))) continue;
    const value = fieldValue(field, answer);
    if (value !== undefined) content[name] = value;
    else if (free === null)
      return { fits: false, why: `"${answer}" is not an answer that ${question.header ?? name} can have` };
    else {
      content[free] = answer;
      if (choices.some(({ const: word }) => word === noneOfThese)) content[name] = noneOfThese;
    }
  }
  return { fits: true, content };
}

/** The form in which every answer is these words. */
export function wordedForm(elicitation: WireElicitation, words: string): Record<string, unknown> {
  return Object.fromEntries(
    askedIn(elicitation).flatMap(({ name, free, choices }) => [
      ...(free === null ? [] : [[free, words] as const]),
      ...(choices.some(({ const: word }) => word === noneOfThese) ? [[name, noneOfThese] as const] : []),
    ]),
  );
}

function askedIn({ message, requestedSchema }: WireElicitation): Asked[] {
  const fields = formFields(requestedSchema);
  const names = new Set(fields.map(({ name }) => name));
  const freeOf = (name: string) => besides.map((end) => name + end).find((each) => names.has(each)) ?? null;
  const taken = new Set(fields.map(({ name }) => freeOf(name)));
  const asked = fields.filter(({ name }) => !taken.has(name));
  return asked.map(({ name, field, isRequired }) => {
    const free = freeOf(name);
    const choices = fieldChoices(field);
    const words = wordsOf({ name, field, message, isOwn: free !== null, isAlone: asked.length === 1 });
    const question = { ...words, ...formOf(field, free !== null), ...fitOf(field, { free, isRequired }) };
    return { name, field, free, choices, isRequired, question };
  });
}

/** What the answer has to be, in a field that has no other beside it for free text. */
function fitOf(
  field: FormField,
  { free, isRequired }: { readonly free: string | null; readonly isRequired: boolean },
): Pick<Question, 'expects' | 'context'> {
  if (free !== null) return {};
  const expects = expectedIn(field, isRequired);
  const context = expectationWords(expects);
  return { expects, ...(context === '' ? {} : { context }) };
}

/** What is asked, and its heading: agents put the question of their own tool into different places. */
function wordsOf(place: {
  readonly name: string;
  readonly field: FormField;
  readonly message: string;
  readonly isOwn: boolean;
  readonly isAlone: boolean;
}): Pick<Question, 'question' | 'header'> {
  const { name, field, message, isOwn, isAlone } = place;
  const { title, description } = field;
  if (isOwn && codexNotes(field) !== undefined)
    return { question: title ?? message, ...given({ header: description ?? undefined }) };
  if (isOwn) return { question: description ?? message, ...given({ header: title ?? undefined }) };
  const what = `${title ?? name}${description ? `: ${description}` : ''}`;
  return { question: isAlone && !description ? message : `${message}\n${what}`, header: title ?? name };
}

function formOf(field: FormField, isOwn: boolean): Pick<Question, 'multiSelect' | 'isSecret' | 'options'> {
  const isSecret = field.format === 'password' || codexNotes(field)?.isSecret === true;
  const options = fieldOptions(field).filter(({ label }) => !isOwn || label !== noneOfThese);
  return { multiSelect: field.type === 'array', ...(isSecret ? { isSecret } : {}), options };
}

/** What Codex says of a field besides. */
function codexNotes({ _meta }: FormField): { isSecret?: boolean | undefined } | undefined {
  return OfCodex.safeParse(_meta).data?.codex;
}
