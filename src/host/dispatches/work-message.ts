import { nameUuid } from '../../process/name-uuid.js';
import type { DispatchId } from '../../protocol/id.js';
import type { Outcome } from '../../protocol/outcome.js';

const closing =
  'The budget is used up, and this is the last turn. Begin nothing new: leave the work in a good state, and say what is done and what is left.';

/** What an agent is told to begin a try: the work, and, after a failed one, what went wrong. */
export function workMessage(work: {
  readonly text: string;
  /** The command that checks the work. */
  readonly verify: string | undefined;
  /** How the last try ended. */
  readonly before: Outcome | undefined;
  /** The agent remembers the last try. */
  readonly hasSession: boolean;
  /** It is its last turn, because the budget is used up. */
  readonly isClosing: boolean;
}): string {
  const { text, verify = '', before, hasSession, isClosing } = work;
  if (isClosing) return hasSession && before ? closing : `${text}\n\n${closing}`;
  if (!before) return text;
  if (before.verification === 'failed') {
    const printed = before.verificationOutput?.trimEnd() ?? '';
    const found = `The check \`${verify}\` failed${printed === '' ? ' and printed nothing.' : `. The end of what it printed:\n\n${printed}`}`;
    return hasSession
      ? `${found}\n\nPlease fix this.`
      : `${text}\n\nAn earlier try at this did not pass. ${found}`;
  }
  if (!hasSession) return text;
  if (before.reason === 'rate_limit')
    return 'A usage limit stopped you, and it is over. Continue where you stopped.';
  return `Your last attempt ended early (${before.reason ?? before.result}). Continue where it stopped:\n\n${text}`;
}

/** The id of the message that begins a try, always the same for the same try. */
export function workMessageUuid(id: DispatchId, attempt: number): string {
  return nameUuid(`${id} attempt ${attempt}`, 8);
}

/** Who says it: whoever gave the work, and after a failed try the rule that begins another one. */
export function messageActor(actor: string, before: Outcome | undefined): string {
  if (!before) return actor;
  return before.verification === 'failed' ? 'policy:verification' : 'policy:retry';
}
