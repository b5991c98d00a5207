import { cutText } from '../../protocol/cut-text.js';
import type { TurnErrorKind } from '../../protocol/turn-result.js';

/** What OpenCode says is wrong. */
export interface OpencodeError {
  readonly name?: string | undefined;
  readonly message: string;
  readonly statusCode?: number | undefined;
}

const authWords =
  /unauthorized|invalid (x-)?api[ -]?key|api key is missing|not logged in|token (has )?(expired|been revoked)|authentication/i;
const limitWords = /rate.?limit|too many requests|usage limit|quota|\b429\b/i;
const busyWords = /overloaded|\b(503|529)\b/i;
const networkWords = /cannot connect|unable to connect|socket|network|timed? ?out|econn|fetch failed/i;
const modelWords = /model not found/i;

/** Whether a text of OpenCode speaks of a missing, wrong or expired login. */
export function speaksOfOpencodeLogin(text: string): boolean {
  return authWords.test(text);
}

/** The sentence a person can act on when the model's server refuses the login. */
export function opencodeLoginSentence(detail: string): string {
  const what = cutText(detail.replaceAll(/\s+/g, ' ').trim(), 300);
  return `OpenCode could not sign in to the model's server (${what}). Check the key of its provider, or sign in again with "opencode auth login", then send the message once more.`;
}

/** The kind of an error: by the HTTP status where OpenCode tells one, else by its name and its words. */
export function opencodeErrorKind({ name, message, statusCode }: OpencodeError): TurnErrorKind {
  if (name === 'MessageAbortedError') return 'interrupted';
  if (statusCode !== undefined) return kindOfStatus(statusCode);
  if (name === 'ProviderAuthError' || authWords.test(message)) return 'auth';
  if (limitWords.test(message)) return 'rate_limit';
  if (busyWords.test(message)) return 'overloaded';
  if (networkWords.test(message)) return 'network';
  return modelWords.test(message) ? 'invalid_request' : 'other';
}

function kindOfStatus(status: number): TurnErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 429) return 'rate_limit';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'invalid_request';
}
