import type { PromptAction, PromptKind } from '../../protocol/prompt.js';
import type { Question } from '../../protocol/question.js';

interface Asked {
  readonly kind: PromptKind;
  readonly questions: readonly Question[];
  readonly action?: PromptAction | undefined;
}

/** What makes two askings in one thread the same one; the host hashes it. */
export function fingerprintText({ kind, questions, action }: Asked): string {
  return canonicalJson({ kind, questions: questions.map(words), action: action?.digest });
}

/** What makes prompts of different threads equal: the same, with the working directory left out of the action. */
export function likenessText({ kind, questions, action }: Asked): string {
  const { tool, input } = action ?? {};
  return canonicalJson({ kind, questions: questions.map(words), action: action && { tool, input } });
}

/** What is asked; which call it comes from is known only while that is the one open call of its server. */
function words({ tool: _call, ...question }: Question): Question {
  return question;
}

/** One text per value, whatever the order in which its keys were written. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (isPlainObject(part) ? sorted(part) : part));
}

function sorted(object: object): object {
  const entries = Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
