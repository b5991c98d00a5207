import { cutText } from '../../protocol/cut-text.js';
import type { ApprovalDecision, Prompt, PromptAction, QuestionAnswer } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { changedInput } from '../words/changed-input.js';
import { hiddenCharacters, hiddenWords, markedLine, markedText } from '../words/marked-text.js';

/** Longest part of an action's input that a text shows; the item itself carries all of it. */
const valueLimit = 4000;

// A line that names every field would hide the rest.
const mostNamed = 5;
const mostName = 100;

const mask = '••••••';

/**
 * A prompt as a person reads it, with the words that say how to reply. What shows nothing is marked and named, and what
 * is left out is told, with the command that shows all of it.
 */
export function questionText(prompt: Pick<Prompt, 'id' | 'kind' | 'questions' | 'action'>): string {
  const { kind, questions, action } = prompt;
  const several = questions.length > 1;
  const asked = questions.flatMap((question, index) => [
    `${several ? `${index + 1}) ` : ''}${markedText(question.question)}`,
    ...(question.context === undefined ? [] : [markedText(question.context)]),
    ...(kind === 'approval' ? [] : optionLines(question)),
  ]);
  return [
    '❓ Provide input:',
    ...asked,
    ...(action ? actionLines(action) : []),
    ...warnings(prompt),
    howToReply(prompt),
  ].join('\n');
}

/** What a person has to know before replying to what this text shows. */
function warnings({ id, questions, action }: Pick<Prompt, 'id' | 'questions' | 'action'>): string[] {
  const hidden = hiddenWords(hiddenCharacters(action ?? questions));
  const cut = action ? cutWords(action) : '';
  return [
    ...(hidden === '' ? [] : [`! It ${hidden}`]),
    ...(cut === '' ? [] : [`! Not all of it stands here: ${cut}. See all of it with: handraise show ${id}`]),
  ];
}

/** How much of which fields is left out, the first ones by name. */
function cutWords({ input, reason }: PromptAction): string {
  const cut = [...Object.entries(input), ['because', reason ?? ''] as const].flatMap(([name, value]) => {
    const rest = asText(value).length - shownPart(value).length;
    return rest > 0
      ? [`${rest} ${rest === 1 ? 'character' : 'characters'} of ${markedLine(cutText(name, mostName))}`]
      : [];
  });
  const others = cut.length - mostNamed;
  return [...cut.slice(0, mostNamed), ...(others > 0 ? [`parts of ${others} other fields`] : [])].join(', ');
}

/** How a prompt was settled, as a person reads it; an answer counts as soon as it is accepted, and a secret is masked. */
export function auditText(
  prompt: Pick<Prompt, 'state' | 'questions' | 'answers' | 'reason' | 'action'>,
  decision?: ApprovalDecision,
): string {
  const { state, reason } = prompt;
  const because = reason === undefined ? '' : `: ${reason}`;
  if (state === 'cancelled') return `✗ Cancelled${because}`;
  if (state === 'failed') return `✗ Failed${because}`;
  const text = maskedAnswers(prompt)
    .map(({ answer }) => answer.join(', '))
    .join('; ');
  return `✓ Answered: ${text}${decision ? decisionWords(decision, prompt.action) : ''}`;
}

/** The answers of a prompt as everybody may see them. */
export function maskedAnswers({
  questions,
  answers = [],
}: Pick<Prompt, 'questions' | 'answers'>): QuestionAnswer[] {
  // A secret is accepted without its text, so that only its question is known.
  if (answers.length === 0)
    return questions.flatMap(({ question, isSecret }) => (isSecret ? [{ question, answer: [mask] }] : []));
  const secrets = new Set(questions.filter(({ isSecret }) => isSecret).map(({ question }) => question));
  return answers.map(({ question, answer }) => ({
    question,
    answer: secrets.has(question) ? [mask] : answer,
  }));
}

function optionLines({ options }: Question): string[] {
  return options.map(
    ({ label, description }, index) =>
      `  ${index + 1}. ${markedText(label)}${description ? ` — ${markedText(description)}` : ''}`,
  );
}

function actionLines({ tool, input, reason }: PromptAction): string[] {
  const fields = Object.entries(input).map(([name, value]) => `  ${markedLine(name)}: ${valueText(value)}`);
  return [markedLine(tool), ...fields, ...(reason === undefined ? [] : [`  because: ${valueText(reason)}`])];
}

function valueText(value: unknown): string {
  const shown = shownPart(value);
  const rest = asText(value).length - shown.length;
  const marked = markedText(shown);
  return (rest > 0 ? `${marked}… (${rest} more characters)` : marked).replaceAll('\n', '\n    ');
}

function shownPart(value: unknown): string {
  return cutText(asText(value), valueLimit);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
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

function decisionWords(
  { approved, scope, updatedInput, message }: ApprovalDecision,
  action: PromptAction | undefined,
): string {
  const changes = action && updatedInput ? changedInput(action.input, updatedInput) : '';
  return [
    ...(approved && scope === 'thread' ? [', exactly this action for this thread from now on'] : []),
    ...(approved && changes !== '' ? [`, with changes: ${changes}`] : []),
    ...(!approved && message ? [` (${message})`] : []),
  ].join('');
}
