import type { Attempt } from '../../protocol/dispatch.js';
import type { Outcome } from '../../protocol/outcome.js';

/** What work has cost until now, as far as its ended tries say; undefined while none of them does. */
export function costSoFar({
  outcome,
  attempts,
}: {
  readonly outcome?: Outcome | undefined;
  readonly attempts: readonly Attempt[];
}): number | undefined {
  return outcome ? outcome.costUsd : costOfTries(attempts.flatMap((attempt) => attempt.outcome ?? []));
}

/** What tries cost together. One that ended with a question is part of the account of the try that goes on with the answer. */
export function costOfTries(outcomes: readonly Outcome[]): number | undefined {
  const costs = outcomes
    .filter(({ claim }, place) => claim !== 'needs_input' || place === outcomes.length - 1)
    .flatMap(({ costUsd }) => costUsd ?? []);
  return costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0);
}
