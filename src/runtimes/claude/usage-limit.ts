import { given } from '../../protocol/given.js';
import type { TurnErrorKind } from '../../protocol/turn-result.js';
import { momentOf } from '../limit-moment.js';

interface Failed {
  readonly errors: string[];
  readonly errorKind: TurnErrorKind;
}

/**
 * What Claude Code says about the limits of its account; with an API key it says nothing. A limit that only a sub-agent met leaves the
 * turn a success (measured), and its work undone.
 */
export class ClaudeUsageLimit {
  #rejected: { readonly retryAt?: string } | null = null;
  #isOfSubAgent = false;

  /** A parent that is allowed to go on does not make up for what a sub-agent was not: limits differ by model. */
  note(
    { status, resetsAt }: { readonly status: string; readonly resetsAt?: number | undefined },
    hasSubAgents: boolean,
  ): void {
    if (status === 'rejected') {
      this.#rejected = given({ retryAt: momentOf(resetsAt) });
      this.#isOfSubAgent ||= hasSubAgents;
    } else if (!this.#isOfSubAgent) this.#rejected = null;
  }

  /** How the turn ended, the limit considered; the next turn begins without one. */
  judge(failure: Failed | null): (Failed & { readonly retryAt?: string }) | null {
    const rejected = this.#rejected;
    this.#rejected = null;
    this.#isOfSubAgent = false;
    if (failure === null)
      return (
        rejected && {
          errors: ['A usage limit was reached during the turn.'],
          errorKind: 'rate_limit',
          ...rejected,
        }
      );
    return failure.errorKind === 'rate_limit' ? { ...failure, ...rejected } : failure;
  }
}
