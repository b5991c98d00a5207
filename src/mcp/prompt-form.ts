import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { wholeText } from '../domain/prompts/whole-text.js';
import type { Asker } from '../domain/words/ask-words.js';
import { plainLine } from '../domain/words/plain-text.js';
import type { AnswerRequest, Prompt } from '../protocol/prompt.js';
import { longestAnswer, type Question } from '../protocol/question.js';

type Asked = Pick<Prompt, 'kind' | 'questions' | 'action'>;
type Properties = ElicitRequestFormParams['requestedSchema']['properties'];

/** What a person filled in, as a client sends it. */
export type FilledForm = Readonly<Record<string, unknown>>;

const longestTitle = 200;

/** A prompt as a form of another program; why not where it must be decided about elsewhere. */
export function promptForm(
  prompt: Asked,
  asker: Asker | undefined,
): { readonly form: ElicitRequestFormParams } | { readonly why: string } {
  const whole = wholeText(prompt, asker);
  if (!whole.isWhole) return { why: whole.why };
  const isApproval = prompt.kind === 'approval';
  const properties: Properties = isApproval ? approvalFields : questionFields(prompt.questions);
  return {
    form: {
      mode: 'form',
      // A program may draw the message as Markdown, in which part of an action could vanish.
      message: isApproval ? fenced(whole.text) : whole.text,
      requestedSchema: { type: 'object', properties, ...(isApproval && { required: ['decision'] }) },
    },
  };
}

/** The answer that a filled form is; null where it says nothing. */
export function filledAnswer(prompt: Asked, form: FilledForm): AnswerRequest | null {
  if (prompt.kind === 'approval') {
    const { decision } = form;
    const message = textOf(form['message']);
    if (decision === 'approve') return { decision: { approved: true } };
    if (decision !== 'deny') return null;
    return { decision: { approved: false, ...(message !== '' && { message }) } };
  }
  const answers = prompt.questions.map((question, index) => ({
    question: question.question,
    answer: filledIn(question, form, index),
  }));
  // What has no answer is left out: a question that needs none has none, and any other is refused by name.
  const filled = answers.filter(({ answer }) => answer.length > 0);
  return filled.length === 0 ? null : { answers: filled };
}

const approvalFields: Properties = {
  decision: {
    type: 'string',
    title: 'Your decision',
    oneOf: [
      { const: 'deny', title: 'Deny' },
      { const: 'approve', title: 'Approve, exactly this, once' },
    ],
  },
  message: { type: 'string', title: 'Why not, or what to do instead', maxLength: longestAnswer },
};

function questionFields(questions: readonly Question[]): Properties {
  const fields: Properties = {};
  for (const [index, question] of questions.entries()) {
    const title = plainLine(question.header ?? question.question, { maxLength: longestTitle });
    if (question.options.length === 0) {
      fields[fieldOf(index)] = { type: 'string', title, maxLength: longestAnswer };
      continue;
    }
    const choices = question.options.map(({ label }, place) => ({
      const: String(place + 1),
      title: plainLine(label, { maxLength: longestTitle }),
    }));
    fields[fieldOf(index)] = question.multiSelect
      ? { type: 'array', title, items: { anyOf: choices } }
      : { type: 'string', title, oneOf: choices };
    fields[otherOf(index)] = { type: 'string', title: 'Something else', maxLength: longestAnswer };
  }
  return fields;
}

function filledIn({ options }: Question, form: FilledForm, index: number): string[] {
  const own = textOf(form[otherOf(index)]);
  if (own !== '') return [own];
  const value = form[fieldOf(index)];
  if (options.length === 0) return textOf(value) === '' ? [] : [textOf(value)];
  return [value].flat().flatMap((place) => options[Number(place) - 1]?.label ?? []);
}

function fieldOf(index: number): string {
  return `answer${index + 1}`;
}

function otherOf(index: number): string {
  return `other${index + 1}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fenced(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
