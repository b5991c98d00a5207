import { isApprovedOnce } from '../../domain/prompts/approved-once.js';
import { emptyPlanWords, isEmptyPlan } from '../../domain/prompts/asked-plan.js';
import { typedAnswer, typedDecision, typedDenial } from '../../domain/prompts/typed-answer.js';
import { plainText } from '../../domain/words/plain-text.js';
import type { ApprovalDecision, Prompt } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { writeMessage } from '../output.js';
import { dropTyped, readTypedLine, type Typed } from '../terminal/keyboard.js';
import type { ApprovalAbilities } from './approval-menu.js';
import { settlingMs } from './inline-dialog.js';
import type { PersonReply } from './person-reply.js';

/** Asks in lines, for terminals on which nothing can be drawn; what is asked stands on the screen already. */
export function askPlainly(
  prompt: Prompt,
  can: ApprovalAbilities,
  { printed, signal }: { readonly printed: string; readonly signal: AbortSignal },
): Promise<PersonReply> {
  if (prompt.kind !== 'approval') return askQuestions(prompt, signal);
  return askApproval(prompt, can, { lines: printed.split('\n').length, signal });
}

async function askApproval(
  { action }: Prompt,
  can: ApprovalAbilities,
  { lines, signal }: { readonly lines: number; readonly signal: AbortSignal },
): Promise<PersonReply> {
  const instead = can.denyWithMessage ? ', or no and why' : '';
  const isEmpty = isEmptyPlan(action);
  const isOnce = action !== undefined && isApprovedOnce(action);
  const always = isOnce ? '' : ', [a]lways in this thread';
  const all = lines > 1 ? `All ${lines.toLocaleString('en-US')} lines of it are printed above. ` : '';
  const ask = isEmpty
    ? `Nothing can be approved here. [n]o${instead}: `
    : `${all}Approve? [y]es, [n]o${always}${instead}: `;
  if ((await dropTyped({ forMs: settlingMs, signal })) === 'interrupted') return { kind: 'interrupted' };
  for (;;) {
    const typed = await readTypedLine({ ask, signal });
    if (typed.kind !== 'line') return typed;
    const decision = decisionIn(typed.text.trim(), { ...can, isOnce });
    if (decision && !(decision.approved && isEmpty)) return { kind: 'answer', answer: { decision } };
    if (typed.text.trim() !== '')
      writeMessage(isEmpty ? emptyPlanWords : 'Nothing was decided. Type yes or no.');
  }
}

// Words that are not known decide nothing: neither consent nor refusal.
function decisionIn(
  typed: string,
  { denyWithMessage, isOnce }: ApprovalAbilities & { readonly isOnce: boolean },
): ApprovalDecision | undefined {
  if (!isOnce && /^(a|always)$/i.test(typed)) return { approved: true, scope: 'thread' };
  const decision = typedDecision(typed);
  if (decision !== null) return { approved: decision === 'approve' };
  const message = typedDenial(typed);
  return denyWithMessage && message !== null ? { approved: false, message } : undefined;
}

async function askQuestions({ questions }: Prompt, signal: AbortSignal): Promise<PersonReply> {
  const replies: string[] = [];
  for (const question of questions) {
    const typed = await askQuestion(question, { isOneOfMany: questions.length > 1, signal });
    if (typed.kind !== 'line') return typed;
    replies.push(typed.text.trim());
  }
  const [only] = replies;
  if (replies.length === 1 && only !== undefined) return { kind: 'answer', answer: { text: only } };
  const text = replies.map((reply, index) => `${index + 1}) ${reply}`).join('\n');
  return { kind: 'answer', answer: { text } };
}

async function askQuestion(
  question: Question,
  { isOneOfMany, signal }: { readonly isOneOfMany: boolean; readonly signal: AbortSignal },
): Promise<Typed> {
  const { options, isSecret = false } = question;
  const what = isOneOfMany ? `${plainText(question.question)} ` : '';
  const ask = `${what}${options.length > 0 ? `[1-${options.length} or text] ` : ''}> `;
  for (;;) {
    const typed = await readTypedLine({ ask, signal, isSecret });
    if (typed.kind !== 'line') return typed;
    const read = typedAnswer({ kind: 'ask_user_question', questions: [question] }, typed.text);
    if (read.ok) return typed;
    if (typed.text.trim() !== '') writeMessage(read.why);
  }
}
