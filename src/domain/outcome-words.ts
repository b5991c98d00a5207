import type { Dispatch } from '../protocol/dispatch.js';
import type { Execution, Outcome } from '../protocol/outcome.js';
import { plainLine } from './plain-text.js';

/** The three axes of an outcome, each on its own. */
export function outcomeAxes({ execution, claim, verification }: Outcome): string {
  const claimed =
    claim === 'none' ? 'the agent claims nothing' : `the agent claims ${claim.replace('_', ' ')}`;
  return `execution ${executionWords(execution)}, ${claimed}, verification ${verification.replace('_', ' ')}`;
}

/** How long a dispatch took, from its first attempt on. */
export function timeTaken(dispatch: Dispatch): number | undefined {
  const [first] = dispatch.attempts;
  if (!first || dispatch.endedAt === undefined) return undefined;
  return Date.parse(dispatch.endedAt) - Date.parse(first.startedAt);
}

/** Why a dispatch did not succeed; empty where nothing explains it. */
export function reasonWords({ reason, execution }: Outcome): string {
  const why = execution.kind === 'error' ? execution.error : executionWords(execution);
  if (reason === undefined) return execution.kind === 'completed' ? '' : plainLine(why);
  const words = plainLine(reason.replaceAll('_', ' '));
  return execution.kind === 'error' && !why.includes(words) ? `${words}: ${plainLine(why)}` : words;
}

function executionWords(execution: Execution): string {
  switch (execution.kind) {
    case 'crashed':
      return `crashed (${execution.signal ?? `exit code ${execution.exitCode ?? 'unknown'}`})`;
    case 'error':
      return `ended with an error (${plainLine(execution.error)})`;
    case 'oomKilled':
      return 'ran out of memory';
    case 'timedOut':
      return 'timed out';
    case 'completed':
    case 'cancelled':
      return execution.kind;
    default:
      return execution satisfies never;
  }
}
