import { isSettled } from '../domain/run-facts.js';
import type { RuntimeName } from '../protocol/posture.js';
import type { StoredPrompt } from '../store/stored-prompt.js';
import type { ThreadBook } from './thread-book.js';
import { isOpen, type LiveRun, parkedIntent, type ThreadState } from './thread-state.js';
import type { Worker } from './worker.js';

export interface ParkingOutside {
  readonly book: ThreadBook;
  readonly worker: Worker;
  readonly now: () => number;
  /** An agent that asks keeps its process for so long. */
  readonly holdForMs: number;
  /** Whether a runtime can take up its session again; one that cannot keeps its process. */
  readonly can: (runtime: RuntimeName, ability: 'resume') => boolean;
}

/** Frees the processes of agents that have been asking for long; the question stays, and its answer wakes the agent. */
export class Parking {
  readonly #outside: ParkingOutside;

  constructor(outside: ParkingOutside) {
    this.#outside = outside;
  }

  /** Parks whoever has been held long enough. */
  async tick(): Promise<void> {
    const { book, worker, now, holdForMs } = this.#outside;
    for (const { run } of worker.runs) {
      const state = await book.state(run.threadId);
      const since = state.prompts.find(isOpen)?.createdAt;
      if (since !== undefined && now() - Date.parse(since) >= holdForMs) this.park(state);
    }
  }

  /** Parks an agent that does nothing but ask; false when it does something else, or no request of its is open. */
  park({ run, prompts, thread }: ThreadState): boolean {
    if (!run || thread.status.state !== 'question') return false;
    const { id } = run.run;
    // Who is to hear that nobody answered must be there then.
    if (prompts.some(({ onUnanswered }) => onUnanswered !== 'wait')) return false;
    // An answer that is on its way must arrive first.
    if (prompts.some((prompt) => !isOpen(prompt) && prompt.state === 'pending')) return false;
    if (isLeftInFile(run, prompts)) {
      if (!run.run.killIntent) void this.#outside.worker.end(id, parkedIntent);
      return true;
    }
    if (!this.#outside.can(thread.runtime, 'resume')) return false;
    const asking = prompts.find((prompt) => prompt.runId === id && prompt.requestId !== undefined);
    const requestId = asking?.requestId;
    if (requestId === undefined || run.facts.sessionId === undefined) return false;
    return (
      this.#outside.worker.watch(id)?.send({ type: 'park', requestId, commandId: `park-${requestId}` }) ??
      false
    );
  }
}

/** Whether the agent has stopped with its question in a file: no call waits, so that its process can simply end. */
function isLeftInFile({ facts }: LiveRun, prompts: readonly StoredPrompt[]): boolean {
  const isAsked = prompts.some(isOpen);
  return (
    isAsked && isSettled(facts) && prompts.every((prompt) => isOpen(prompt) && prompt.requestId === undefined)
  );
}
