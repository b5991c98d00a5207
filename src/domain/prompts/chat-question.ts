import type { Answer, Prompt } from '../../protocol/prompt.js';
import { askText } from '../words/ask-text.js';
import { type Asker, askWords } from '../words/ask-words.js';
import { hiddenCharacters } from '../words/marked-text.js';
import { plainLine, plainText } from '../words/plain-text.js';
import { isEmptyPlan } from './asked-plan.js';
import { type TypedAnswer, typedAnswer } from './typed-answer.js';

/** What can be pressed under a question in a chat: a decision, or the option with this number, from 0. */
export type ChatChoice = 'approve' | 'deny' | `option${number}`;

/** A question as a chat shows it. */
export interface ChatQuestion {
  readonly text: string;
  readonly choices: readonly { readonly choice: ChatChoice; readonly label: string }[];
  /** Whether an answer can be typed. */
  readonly takesText: boolean;
}

/** What somebody said in a chat. */
export type ChatSaid = { readonly choice: ChatChoice } | { readonly text: string };

type Asked = Pick<Prompt, 'kind' | 'questions' | 'action'>;

// Every chat takes so many buttons of that length.
const mostButtons = 10;
const longestLabel = 70;

/** A question for a chat that takes so many characters. What a person cannot see whole there they cannot approve there. */
export function chatQuestion(asked: Asked, asker: Asker, longest: number): ChatQuestion {
  if (asked.questions.some(({ isSecret }) => isSecret))
    return { text: 'The agent asks for a secret. Open it to enter it.', choices: [], takesText: false };
  const whole = plainText(askText(asked, asker)).trim();
  const text = whole.length <= longest ? whole : plainText(whole, { maxLength: longest });
  if (asked.kind !== 'approval') return { text, choices: optionsOf(asked), takesText: true };
  const deny = { choice: 'deny', label: 'Deny' } as const;
  const why = obstacleTo(asked, whole.length <= longest);
  if (why === null)
    return { text, choices: [{ choice: 'approve', label: 'Approve' }, deny], takesText: true };
  const words = plainLine(askWords(asked, asker), { maxLength: longest / 2 });
  return { text: `${words}\n\n${why} Open it to see and approve it.`, choices: [deny], takesText: true };
}

/** What was said, as an answer; or why it is none, and what to do instead. */
export function chatAnswer(asked: Asked, offered: ChatQuestion, said: ChatSaid): TypedAnswer {
  if ('choice' in said) {
    const isOffered = offered.choices.some(({ choice }) => choice === said.choice);
    return isOffered
      ? chosen(asked, said.choice)
      : { ok: false, why: 'That cannot be chosen here. Open it.' };
  }
  if (!offered.takesText)
    return { ok: false, why: 'A secret does not belong into a chat. Open it to enter it.' };
  const typed = typedAnswer(asked, said.text);
  const isApproval = typed.ok && 'decision' in typed.answer && typed.answer.decision.approved;
  const mayApprove = offered.choices.some(({ choice }) => choice === 'approve');
  return isApproval && !mayApprove ? { ok: false, why: 'It cannot be approved here. Open it.' } : typed;
}

/** Why an action cannot be approved in a chat. */
function obstacleTo({ action }: Asked, fits: boolean): string | null {
  if (!action || isEmptyPlan(action)) return 'It cannot be shown here.';
  const { tool, input, reason } = action;
  if (hiddenCharacters({ tool, input, reason }).size > 0) return 'It contains characters that show nothing.';
  return fits ? null : 'It is too long to be shown here.';
}

function optionsOf({ questions }: Asked): ChatQuestion['choices'] {
  const [question, ...more] = questions;
  if (!question || more.length > 0 || question.multiSelect || question.options.length > mostButtons)
    return [];
  return question.options.map(({ label }, index) => ({
    choice: `option${index}` as const,
    label: plainLine(label, { maxLength: longestLabel }),
  }));
}

function chosen({ questions }: Asked, choice: ChatChoice): TypedAnswer {
  if (choice === 'approve' || choice === 'deny')
    return { ok: true, answer: { decision: { approved: choice === 'approve' } } };
  const [question] = questions;
  const option = question?.options[Number(choice.slice('option'.length))];
  if (!question || !option) return { ok: false, why: 'There is no such option.' };
  const answer: Answer = { answers: [{ question: question.question, answer: [option.label] }] };
  return { ok: true, answer };
}
