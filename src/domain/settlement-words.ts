import type { Prompt } from '../protocol/prompt.js';
import { plainLine } from './plain-text.js';
import { auditText } from './prompt-text.js';

/** What was answered, or why a prompt is closed; an accepted answer counts as soon as it is accepted. */
export function settlementWords({ state, answers = [], reason, questions }: Prompt): string {
  const secret = new Set(questions.filter(({ isSecret }) => isSecret).map(({ question }) => question));
  const shown = answers.map((each) => (secret.has(each.question) ? { ...each, answer: ['••••••'] } : each));
  const settled = {
    state: state === 'pending' ? ('answered' as const) : state,
    answers: shown,
    reason,
    questions,
  };
  return plainLine(auditText(settled));
}
