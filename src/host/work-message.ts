import type { DispatchRequest } from '../protocol/dispatch.js';
import type { Outcome } from '../protocol/outcome.js';

/** What an agent is told to begin a try: the work, and, after a failed one, what went wrong. */
export function workMessage(work: {
  readonly request: DispatchRequest;
  /** How the last try ended. */
  readonly before: Outcome | undefined;
  /** The agent remembers the last try. */
  readonly hasSession: boolean;
}): string {
  const { request, before, hasSession } = work;
  if (!before) return request.text;
  if (before.verification === 'failed') {
    const found = `The check \`${request.verify ?? ''}\` failed. The end of what it printed:\n\n${before.verificationOutput ?? ''}`;
    return hasSession
      ? `${found}\n\nPlease fix this.`
      : `${request.text}\n\nAn earlier try at this did not pass. ${found}`;
  }
  if (!hasSession) return request.text;
  return `Your last try ended early (${before.reason ?? before.result}). Go on with the work where it stopped:\n\n${request.text}`;
}
