import type { WorkSettled } from '../../protocol/changes.js';
import { given } from '../../protocol/given.js';
import type { DispatchId } from '../../protocol/id.js';
import type { Landing } from '../../protocol/landing.js';

/** A landing that ended, as far as it settles work. */
export interface EndedLanding extends Pick<Landing, 'kind' | 'state' | 'into' | 'pullRequest'> {
  /** It changed something, because there was something to do. */
  readonly isCarriedOut: boolean;
  /** It takes back an earlier one. */
  readonly isUndo: boolean;
  /** The pull request that it watched was merged. */
  readonly isMerged: boolean;
}

/** What became of the work of a thread, after a landing and the last piece of work that had ended before it. */
export function settledAfter(
  landing: EndedLanding,
  {
    before,
    dispatchId,
  }: { readonly before: WorkSettled | undefined; readonly dispatchId: DispatchId | undefined },
): WorkSettled | undefined {
  const { kind, state, into, pullRequest, isCarriedOut, isUndo, isMerged } = landing;
  if (state !== 'done' || !isCarriedOut || dispatchId === undefined) return before;
  if (isUndo) return undefined;
  switch (kind) {
    case 'merge':
    case 'apply':
    case 'discard':
      return { how: kind, dispatchId, ...given({ into }) };
    case 'watch':
      return isMerged ? { how: 'pr', dispatchId, ...given({ into: pullRequest }) } : before;
    case 'pr':
    case 'push':
      return before;
    default:
      return kind satisfies never;
  }
}
