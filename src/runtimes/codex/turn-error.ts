import { cutText } from '../../protocol/cut-text.js';
import type { TurnErrorKind } from '../../protocol/turn-result.js';
import type { WireError } from './wire.js';

const authWords =
  /unauthorized|not logged in|log ?in again|invalid api key|token (has )?(expired|been revoked|could not be refreshed)/i;
const keyProblem = /missing|not set|incorrect/i;

/** Whether a text of Codex speaks of a missing, wrong or expired login. */
export function speaksOfCodexLogin(text: string): boolean {
  return authWords.test(text) || text.split('\n').some(speaksOfKey);
}

/** From the first mention of a key in a line on, so that the rest of the line is read once. */
function speaksOfKey(line: string): boolean {
  const at = line.search(/api key/i);
  return at >= 0 && keyProblem.test(line.slice(at));
}

/** The sentence a person can act on when the model's server refuses the login. */
export function codexLoginSentence(detail: string): string {
  const what = cutText(detail.replaceAll(/\s+/g, ' ').trim(), 300);
  return `Codex could not sign in to the model's server (${what}). Check the key of its provider, or sign in again with "codex login", then send the message once more.`;
}

const kinds: Record<string, TurnErrorKind> = {
  unauthorized: 'auth',
  usageLimitExceeded: 'rate_limit',
  rateLimitExceeded: 'rate_limit',
  serverOverloaded: 'overloaded',
  flexUnavailable: 'overloaded',
  policyCapacityUnavailable: 'overloaded',
  internalServerError: 'server',
  badRequest: 'invalid_request',
  contextWindowExceeded: 'invalid_request',
  modelNotFound: 'invalid_request',
  sessionBudgetExceeded: 'max_budget',
  httpConnectionFailed: 'network',
  responseStreamConnectionFailed: 'network',
  responseStreamDisconnected: 'network',
  responseTooManyFailedAttempts: 'network',
};

/** The kind of an error: by the HTTP status where Codex tells one, else by its own word for it. */
export function codexErrorKind({ codexErrorInfo: info, message }: WireError): TurnErrorKind {
  const [word, details] =
    typeof info === 'string' ? [info, undefined] : (Object.entries(info ?? {})[0] ?? ['other', undefined]);
  const status = statusIn(details);
  if (status !== null) return kindOfStatus(status);
  const kind = kinds[word];
  if (kind !== undefined) return kind;
  // A stream that breaks off and a request that is refused are both called "other" (measured).
  if (speaksOfCodexLogin(message)) return 'auth';
  return /stream (disconnected|closed|ended)/i.test(message) ? 'network' : 'other';
}

function statusIn(details: unknown): number | null {
  if (typeof details !== 'object' || details === null || !('httpStatusCode' in details)) return null;
  return typeof details.httpStatusCode === 'number' ? details.httpStatusCode : null;
}

function kindOfStatus(status: number): TurnErrorKind {
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'billing';
  if (status === 429) return 'rate_limit';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'server' : 'invalid_request';
}
