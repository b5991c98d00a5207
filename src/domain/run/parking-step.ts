import type { RunId } from '../../protocol/id.js';
import {
  askingServer,
  isConsent,
  isHeldBack,
  isOnItsWay,
  isOpen,
  type ThreadPrompt,
} from '../prompts/thread-prompt.js';
import { isSettled, type RunFacts, sessionOf } from './run-facts.js';

/** How the process of an agent that asks can be freed. */
export type ParkingStep =
  | { readonly do: 'keep' }
  /** No call waits, so that its process can simply end. */
  | { readonly do: 'end' }
  /** The runner parks the request that waits. */
  | { readonly do: 'park'; readonly requestId: string };

const keep: ParkingStep = { do: 'keep' };

/** What can be done about the process of a run whose thread asks; only an agent that does nothing but ask is let go. */
export function parkingStep(asking: {
  readonly runId: RunId;
  readonly facts: RunFacts;
  readonly prompts: readonly ThreadPrompt[];
  /** Whether the runtime can take up its session again; one that cannot keeps its process. */
  readonly canResume: boolean;
}): ParkingStep {
  const { runId, facts, prompts, canResume } = asking;
  // Who is to hear that nobody answered must be there then.
  if (prompts.some((prompt) => isOpen(prompt) && prompt.onUnanswered !== 'wait')) return keep;
  // A server that asks is a part of the process, and waits only as long as that lives.
  if (prompts.some((prompt) => isOpen(prompt) && askingServer(prompt) !== undefined)) return keep;
  // An answer that is on its way must arrive first.
  if (prompts.some((prompt) => isOnItsWay(prompt) || isHeldBack(prompt))) return keep;
  // What a person has approved is being done; to let the agent go would cut it off.
  if (prompts.some((prompt) => prompt.runId === runId && prompt.deliveredAt && isConsent(prompt)))
    return keep;
  if (isLeftInFile(facts, prompts)) return { do: 'end' };
  if (!canResume || sessionOf(facts) === undefined) return keep;
  // One that has its answer may be among them until its turn ends, and waits for nobody.
  const waiting = prompts.find(
    (prompt) => isOpen(prompt) && prompt.runId === runId && prompt.requestId !== undefined,
  );
  return waiting?.requestId === undefined ? keep : { do: 'park', requestId: waiting.requestId };
}

/** Whether the agent has stopped with its question in a file. */
function isLeftInFile(facts: RunFacts, prompts: readonly ThreadPrompt[]): boolean {
  const isAsked = prompts.some(isOpen);
  return (
    isAsked && isSettled(facts) && prompts.every((prompt) => isOpen(prompt) && prompt.requestId === undefined)
  );
}
