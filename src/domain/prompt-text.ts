import { cutText } from '../protocol/cut-text.js';
import type { ApprovalDecision, Prompt, PromptAction, QuestionAnswer } from '../protocol/prompt.js';
import type { Question } from '../protocol/question.js';

/** Longest part of an action's input that a text shows; the item itself carries all of it. */
const valueLimit = 4000;

const mask = '••••••';

/** A prompt as a person reads it, with the words that say how to reply. */
export function questionText(prompt: Pick<Prompt, 'kind' | 'questions' | 'action'>): string {
  const { kind, questions, action } = prompt;
  const several = questions.length > 1;
  const asked = questions.flatMap((question, index) => [
    several ? `${index + 1}) ${question.question}` : question.question,
    ...(kind === 'approval' ? [] : optionLines(question)),
  ]);
  return ['❓ Provide input:', ...asked, ...(action ? actionLines(action) : []), howToReply(prompt)].join(
    '\n',
  );
}

/** How a prompt was settled, as a person reads it; an answer counts as soon as it is accepted, and a secret is masked. */
export function auditText(
  prompt: Pick<Prompt, 'state' | 'questions' | 'answers' | 'reason'>,
  decision?: ApprovalDecision,
): string {
  const { state, reason } = prompt;
  const because = reason === undefined ? '' : `: ${reason}`;
  if (state === 'cancelled') return `✗ Cancelled${because}`;
  if (state === 'failed') return `✗ Failed${because}`;
  const text = maskedAnswers(prompt)
    .map(({ answer }) => answer.join(', '))
    .join('; ');
  return `✓ Answered: ${text}${decision ? decisionWords(decision) : ''}`;
}

/** The answers of a prompt as everybody may see them. */
export function maskedAnswers({
  questions,
  answers = [],
}: Pick<Prompt, 'questions' | 'answers'>): QuestionAnswer[] {
  const secrets = new Set(questions.filter(({ isSecret }) => isSecret).map(({ question }) => question));
  return answers.map(({ question, answer }) => ({
    question,
    answer: secrets.has(question) ? [mask] : answer,
  }));
}

function optionLines({ options }: Question): string[] {
  return options.map(
    ({ label, description }, index) => `  ${index + 1}. ${label}${description ? ` — ${description}` : ''}`,
  );
}

function actionLines({ tool, input, reason }: PromptAction): string[] {
  const fields = Object.entries(input).map(([name, value]) => `  ${name}: ${valueText(value)}`);
  return [tool, ...fields, ...(reason === undefined ? [] : [`  because: ${valueText(reason)}`])];
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = cutText(text, valueLimit);
  const rest = text.length - shown.length;
  return (rest > 0 ? `${shown}… (${rest} more characters)` : shown).replaceAll('\n', '\n    ');
}

function howToReply({ kind, questions }: Pick<Prompt, 'kind' | 'questions'>): string {
  if (kind === 'approval') return 'Reply approve or deny.';
  const [first] = questions;
  if (questions.length > 1) return 'Reply with one line per question: 1) … 2) …';
  if (kind === 'text' || !first || first.options.length === 0) return 'Reply with your answer.';
  return first.multiSelect
    ? 'Reply with numbers separated by commas, the option texts, or free text.'
    : 'Reply with a number, the option text, or free text.';
}

function decisionWords({ approved, scope, updatedInput, message }: ApprovalDecision): string {
  return [
    ...(approved && scope === 'thread' ? [', for this thread from now on'] : []),
    ...(approved && updatedInput ? [', with edited input'] : []),
    ...(!approved && message ? [` (${message})`] : []),
  ].join('');
}
