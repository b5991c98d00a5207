import { plainText } from '../../domain/plain-text.js';
import type { ApprovalDecision, Prompt } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';
import { readTypedLine, type Typed } from '../terminal/keyboard.js';
import type { Abilities } from './approval-menu.js';
import type { Said } from './said.js';

/** Asks in lines, for terminals on which nothing can be drawn; what is asked stands on the screen already. */
export function askPlainly(prompt: Prompt, can: Abilities, signal: AbortSignal): Promise<Said> {
  return prompt.kind === 'approval' ? askApproval(can, signal) : askQuestions(prompt, signal);
}

async function askApproval(can: Abilities, signal: AbortSignal): Promise<Said> {
  const instead = can.denyWithMessage ? ', or no and what to do instead' : '';
  const ask = `Approve? [y]es, [n]o, [a]lways in this thread${instead}: `;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it is understood
    const typed = await readTypedLine({ ask, signal });
    if (typed.kind !== 'line') return typed;
    const decision = decisionOf(typed.text.trim(), can);
    if (decision) return { kind: 'answer', answer: { decision } };
  }
}

// An empty line decides nothing, and words are never taken for consent.
function decisionOf(typed: string, { denyWithMessage }: Abilities): ApprovalDecision | undefined {
  if (typed === '') return undefined;
  if (/^(y|yes|approve)$/i.test(typed)) return { approved: true };
  if (/^(a|always)$/i.test(typed)) return { approved: true, scope: 'thread' };
  if (/^(n|no|deny)$/i.test(typed)) return { approved: false };
  return denyWithMessage ? { approved: false, message: typed.replace(/^no[,;:]?\s+/i, '') } : undefined;
}

async function askQuestions({ questions }: Prompt, signal: AbortSignal): Promise<Said> {
  const replies: string[] = [];
  for (const question of questions) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
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
  { question, options, isSecret = false }: Question,
  { isOneOfMany, signal }: { readonly isOneOfMany: boolean; readonly signal: AbortSignal },
): Promise<Typed> {
  const what = isOneOfMany ? `${plainText(question)} ` : '';
  const ask = `${what}${options.length > 0 ? `[1-${options.length} or text] ` : ''}> `;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until something is typed
    const typed = await readTypedLine({ ask, signal, isSecret });
    if (typed.kind !== 'line' || typed.text.trim() !== '') return typed;
  }
}
