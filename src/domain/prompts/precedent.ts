import type { Precedent } from '../../protocol/precedent.js';
import type { Answer, Prompt, PromptActor, QuestionAnswer } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { type Asker, askWords } from '../words/ask-words.js';
import { plainLine } from '../words/plain-text.js';
import { checkedAnswers } from './answer.js';
import { asksForSecret, decisionIn, isConsent, type ThreadPrompt } from './thread-prompt.js';

/** An earlier prompt that a person has answered. */
export type AnsweredPrompt = ThreadPrompt & {
  readonly answers: readonly QuestionAnswer[];
  readonly actor: PromptActor;
  readonly acceptedAt: string;
};

const longestLine = 200;

/** Whether a person has answered a prompt and the answer counted; a policy's answer is no precedent. */
export function isAnsweredByPerson(prompt: ThreadPrompt): prompt is AnsweredPrompt {
  const { state, actor, answers, acceptedAt } = prompt;
  const counted = (state === 'answered' || state === 'pending') && acceptedAt !== undefined;
  return counted && answers !== undefined && actor?.startsWith('user:') === true && !asksForSecret(prompt);
}

/** An earlier answer as it is shown with a new prompt, with what takes it again. */
export function precedentOf(prompt: ThreadPrompt, earlier: AnsweredPrompt, asker?: Asker): Precedent {
  const words = answeredWords(earlier);
  const answered = plainLine(words, { maxLength: longestLine });
  // Nobody gives an answer that they have not seen whole.
  const answer = answered === words ? sameAnswer(prompt, earlier) : null;
  return {
    promptId: earlier.id,
    threadId: earlier.threadId,
    likeness: prompt.keys?.same === earlier.keys?.same ? 'same' : 'similar',
    asked: plainLine(askWords(earlier, asker), { maxLength: longestLine }),
    answered,
    ...(answer && { answer }),
    actor: earlier.actor,
    at: earlier.acceptedAt,
  };
}

/** The answer that gives a prompt the same as an earlier one got; null where it does not fit. */
export function sameAnswer(prompt: Prompt, earlier: AnsweredPrompt): Answer | null {
  if (asksForSecret(prompt)) return null;
  const isApproval = prompt.kind === 'approval';
  if (isApproval !== (earlier.kind === 'approval')) return null;
  return isApproval ? sameDecision(earlier) : sameAnswers(prompt, earlier);
}

/** What was approved in place of the proposed action is no answer to another one. */
function sameDecision(earlier: AnsweredPrompt): Answer | null {
  const { updatedInput, message } = decisionIn(earlier) ?? {};
  if (updatedInput !== undefined) return null;
  const approved = isConsent(earlier);
  return { decision: { approved, ...(!approved && message !== undefined && { message }) } };
}

function sameAnswers({ kind, questions }: Prompt, earlier: AnsweredPrompt): Answer | null {
  if (questions.length !== earlier.questions.length) return null;
  const answers = questions.flatMap((question, place) => {
    const given = earlier.answers[place];
    const before = earlier.questions[place];
    return given && before && fits(question, before, given)
      ? [{ ...given, question: question.question }]
      : [];
  });
  try {
    return answers.length === questions.length
      ? { answers: checkedAnswers({ kind, questions }, answers) }
      : null;
  } catch {
    return null;
  }
}

/** An option is taken only where there is one of that name again. */
function fits(now: Question, before: Question, { answer }: QuestionAnswer): boolean {
  const labels = new Set(now.options.map(({ label }) => label));
  const isOption = (text: string) => before.options.some(({ label }) => label === text);
  return answer.every((text) => labels.has(text) || !isOption(text));
}

function answeredWords(earlier: AnsweredPrompt): string {
  const { updatedInput, message, scope } = decisionIn(earlier) ?? {};
  if (earlier.kind !== 'approval') return earlier.answers.map(({ answer }) => answer.join(', ')).join(' · ');
  const verdict = isConsent(earlier) ? 'Approve' : 'Deny';
  const how = updatedInput ? ', with changes' : scope === 'thread' ? ', always in its thread' : '';
  return `${verdict}${how}${message === undefined ? '' : `: ${message}`}`;
}
