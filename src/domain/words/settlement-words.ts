import type { ResolvedPromptItem } from '../../protocol/item.js';
import type { Prompt, SettledReason } from '../../protocol/prompt.js';
import { auditText } from '../prompts/prompt-text.js';
import { actorWords } from './actor-words.js';
import { plainLine, plainText } from './plain-text.js';

/** Why a prompt was closed without an answer, as a sentence for each code. */
export const settledReasons = {
  worker_restart: 'the worker was restarted',
  worker_shutdown: 'the worker was stopped with its agents',
  turn_cancelled: 'the turn was interrupted',
  dispatch_cancelled: 'the work was cancelled',
  timeout: 'the work ran out of time',
  deadline: 'nobody answered in time',
  superseded: 'the agent went on without an answer',
  runtime_gone: 'the agent was gone before the answer reached it',
  server_gave_up: 'the MCP server stopped waiting for the answer',
} as const satisfies Record<SettledReason, string>;

/** What was answered, or why a prompt is closed; an accepted answer counts as soon as it is accepted. */
export function settlementWords(prompt: Prompt): string {
  const { state, reason, secretFrom } = prompt;
  if (secretFrom !== undefined)
    return `${actorWords(secretFrom)} has given the secret. The worker keeps it in memory until the agent asks for it again; if the worker stops before that, give it again.`;
  return state === 'cancelled' || state === 'failed'
    ? closedWords(state, reason)
    : plainLine(auditText({ ...prompt, state: 'answered' }, prompt.decision));
}

/** For how long an answer that is held back can be undone; empty for any other. */
export function undoWords({ undoUntil }: Pick<Prompt, 'undoUntil'>, now: number): string {
  if (undoUntil === undefined) return '';
  return `can be undone for ${Math.max(0, Math.ceil((Date.parse(undoUntil) - now) / 1000))} s`;
}

/** The same for the item of a thread: an answer as it was recorded, a sentence for the code of a prompt without one. */
export function auditWords({ content, metadata }: ResolvedPromptItem): string {
  const { prompt_state: state, reason } = metadata.prompt;
  return state === 'answered'
    ? plainText(content.map(({ text }) => text).join('\n'))
    : closedWords(state, reason ?? undefined);
}

function closedWords(state: 'cancelled' | 'failed', reason: string | undefined): string {
  const what = state === 'failed' ? '✗ Failed' : reason === undefined ? '✗ Left unanswered' : '✗ Cancelled';
  return reason === undefined ? what : `${what}: ${reasonSentence(reason)}`;
}

/** Why a prompt was closed, in words; what a person wrote is plain and not endless. */
export function reasonSentence(reason: string): string {
  return isCode(reason) ? settledReasons[reason] : plainLine(reason, { maxLength: 1000 });
}

function isCode(reason: string): reason is SettledReason {
  return Object.hasOwn(settledReasons, reason);
}
