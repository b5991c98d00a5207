import { cutText } from '../../protocol/cut-text.js';
import type { TurnErrorKind } from '../../protocol/turn-result.js';
import type { WireResult } from './wire.js';

const authWords =
  /authentication_(error|failed)|oauth token (has )?(expired|been revoked)|invalid (x-)?api[- ]key|invalid bearer token|401 unauthorized|not logged in|please run \/login|failed to authenticate|credentials? (have )?expired/i;

/** Whether a text of the runtime speaks of a missing, wrong or expired login. */
export function speaksOfClaudeLogin(text: string): boolean {
  return authWords.test(text);
}

/** The sentence a person can act on when the model's server refuses the login. */
export function claudeLoginSentence(detail: string): string {
  return `Claude could not sign in to the model's server (${oneLine(detail)}). Check ANTHROPIC_API_KEY, or sign in again with "claude /login", then send the message once more.`;
}

/** The kind of a failed turn; the runtime reports API errors as success with `is_error`. */
export function claudeErrorKind(result: WireResult): TurnErrorKind {
  if (result.terminal_reason?.startsWith('aborted')) return 'interrupted';
  switch (result.subtype) {
    case 'error_max_turns':
      return 'max_turns';
    case 'error_max_budget_usd':
      return 'max_budget';
    case 'error_max_structured_output_retries':
      return 'structured_output';
    default:
      return kindOfStatus(result.api_error_status ?? null, textOf(result));
  }
}

/** What the runtime said went wrong, in its words. */
export function errorsOf(result: WireResult): string[] {
  // For an interrupt the runtime gives a diagnostic of its own insides.
  if (result.terminal_reason?.startsWith('aborted')) return ['The turn was interrupted.'];
  if (result.errors && result.errors.length > 0) return result.errors;
  return result.result ? [result.result] : [];
}

function kindOfStatus(status: number | null, text: string): TurnErrorKind {
  if (
    status === 401 ||
    (status === 403 && /authenticate|permission/i.test(text)) ||
    speaksOfClaudeLogin(text)
  )
    return 'auth';
  if (/credit balance|billing/i.test(text)) return 'billing';
  if (status === null)
    return /connect|network|ECONN|timed? ?out|fetch failed/i.test(text) ? 'network' : 'other';
  if (status === 429) return 'rate_limit';
  if (status === 529) return 'overloaded';
  if (status >= 500) return 'server';
  return 'invalid_request';
}

function textOf(result: WireResult): string {
  return errorsOf(result).join('\n');
}

function oneLine(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), 300);
}
