import * as z from 'zod';
import type { ExpectedAnswer } from '../protocol/expected-answer.js';
import { answerParts, isLeftEmpty } from '../protocol/expected-answer.js';
import { given } from '../protocol/given.js';
import type { QuestionOption } from '../protocol/question.js';

const text = z.string().nullish().catch(undefined);
const number = z.number().nullish().catch(undefined);
const count = z.int().nonnegative().nullish().catch(undefined);

const Choice = z.looseObject({ const: z.string(), title: text, description: text });
type Choice = z.infer<typeof Choice>;
const choiceList = z.array(Choice).optional().catch(undefined);
const words = z.array(z.string()).optional().catch(undefined);

/** A field of the form by which an MCP server, or an agent, asks: MCP allows no more than this of JSON Schema. */
export const FormField = z.looseObject({
  type: z.string().optional().catch(undefined),
  title: text,
  description: text,
  format: text,
  minimum: number,
  maximum: number,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  oneOf: choiceList,
  anyOf: choiceList,
  enum: words,
  enumNames: words,
  items: z.unknown().optional(),
  _meta: z.unknown().optional(),
});
export type FormField = z.infer<typeof FormField>;

const Form = z.looseObject({
  properties: z.record(z.string(), FormField),
  required: z.array(z.string()).optional().catch(undefined),
});

const Options = z.looseObject({ oneOf: choiceList, anyOf: choiceList, enum: words, enumNames: words });

/** The fields of a form by name, and whether each must be filled; none where there is no form. */
export function formFields(
  schema: unknown,
): { readonly name: string; readonly field: FormField; readonly isRequired: boolean }[] {
  const form = Form.safeParse(schema);
  if (!form.success) return [];
  const { properties, required = [] } = form.data;
  const must = new Set(required);
  return Object.entries(properties).map(([name, field]) => ({ name, field, isRequired: must.has(name) }));
}

/** What a field lets one choose from. */
export function fieldChoices(field: FormField): Choice[] {
  const found = Options.safeParse(field.type === 'array' ? field.items : field).data;
  if (!found) return [];
  const { enumNames = [] } = found;
  const plain = (found.enum ?? []).map((word, index) => ({ const: word, title: enumNames[index] }));
  return found.oneOf ?? found.anyOf ?? plain;
}

/** The same as options of a question; a boolean is yes or no. */
export function fieldOptions(field: FormField): QuestionOption[] {
  if (field.type === 'boolean') return [{ label: 'yes' }, { label: 'no' }];
  return fieldChoices(field).map((choice) => ({
    label: labelOf(choice),
    ...given({ description: choice.description ?? undefined }),
  }));
}

/** What an answer has to be for this field to hold it. */
export function expectedIn(field: FormField, isRequired: boolean): ExpectedAnswer {
  const optional = isRequired ? {} : { isOptional: true };
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = field;
  if (field.type === 'array') return { type: 'choice', ...numbers({ minItems, maxItems }), ...optional };
  if (fieldOptions(field).length > 0) return { type: 'choice', ...optional };
  if (field.type === 'number' || field.type === 'integer')
    return { type: field.type, ...numbers({ minimum, maximum }), ...optional };
  const format = formats.find((known) => known === field.format);
  return { type: 'text', ...numbers({ minLength, maxLength }), ...given({ format }), ...optional };
}

const formats = ['email', 'uri', 'date', 'date-time'] as const;

/** What a field can hold. */
export type FieldValue = string | number | boolean | string[];

/** The value that a field has with this answer; undefined where it cannot have it. */
export function fieldValue(field: FormField, answer: string): FieldValue | undefined {
  const choices = fieldChoices(field);
  const chosen = (label: string) =>
    choices.find((choice) => labelOf(choice) === label || choice.const === label)?.const;
  if (field.type === 'array') {
    const values = answerParts({ multiSelect: true, options: fieldOptions(field) }, answer).map(chosen);
    const known = values.filter((value) => value !== undefined);
    return known.length === values.length ? known : undefined;
  }
  if (choices.length > 0) return chosen(answer);
  if (field.type === 'boolean') return booleanOf(answer.trim());
  if (field.type === 'number' || field.type === 'integer') return numberOf(field.type, answer.trim());
  return answer;
}

/** Whether nothing is to be sent for a field. */
export function isOmitted(answer: string | undefined, isRequired: boolean): boolean {
  return answer === undefined || (!isRequired && isLeftEmpty([answer]));
}

function labelOf({ const: word, title }: Choice): string {
  return title ?? word;
}

function booleanOf(answer: string): boolean | undefined {
  if (/^(yes|y|true)$/i.test(answer)) return true;
  return /^(no|n|false)$/i.test(answer) ? false : undefined;
}

function numberOf(type: 'number' | 'integer', answer: string): number | undefined {
  const value = Number(answer);
  if (answer === '' || !Number.isFinite(value)) return undefined;
  return type === 'integer' && !Number.isInteger(value) ? undefined : value;
}

/** Those of the limits that are given. */
function numbers<Name extends string>(
  limits: Record<Name, number | null | undefined>,
): Partial<Record<Name, number>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is left of the record has its names
  return Object.fromEntries(
    Object.entries(limits).filter(([, limit]) => typeof limit === 'number'),
  ) as Partial<Record<Name, number>>;
}
