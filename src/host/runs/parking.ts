import { asksForSecret, isOpen } from '../../domain/prompts/thread-prompt.js';
import { parkingStep } from '../../domain/run/parking-step.js';
import type { Clock } from '../clock.js';
import type { SecretAnswers } from '../prompts/secret-answers.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import { parkedIntent, type ThreadState } from '../threads/thread-state.js';
import type { AttachedRunners } from './attached-runners.js';
import type { RunSupervisor } from './run-supervisor.js';

export interface ParkingParts {
  readonly changes: ThreadChanges;
  readonly supervisor: RunSupervisor;
  readonly runners: AttachedRunners;
  readonly secrets: SecretAnswers;
  readonly runtimes: RuntimeCatalog;
  readonly clock: Clock;
  /** How long an agent that asks keeps its process. */
  readonly holdForMs: number;
}

/** Frees the processes of agents that have been asking for long; the question stays, and its answer wakes the agent. */
export class Parking {
  readonly #parts: ParkingParts;

  constructor(parts: ParkingParts) {
    this.#parts = parts;
  }

  /** Parks whoever has been asking long enough. */
  async parkDue(): Promise<void> {
    const { changes, supervisor, clock, holdForMs } = this.#parts;
    for (const { threadId } of supervisor.runs) {
      const state = await changes.state(threadId);
      // A secret can only be given to a call that waits, so whoever asks for one keeps its process until it is needed.
      if (state.prompts.some((prompt) => isOpen(prompt) && asksForSecret(prompt))) continue;
      const since = state.prompts.find(isOpen)?.createdAt;
      if (since !== undefined && clock.now() - Date.parse(since) >= holdForMs) this.park(state);
    }
  }

  /** Parks an agent that does nothing but ask; false when it does something else, or no request of its is open. */
  park({ run, prompts, thread }: ThreadState): boolean {
    const { supervisor, runners, secrets, runtimes } = this.#parts;
    if (!run || thread.status.state !== 'question') return false;
    // A secret that is on its way must arrive first.
    if (prompts.some(({ id }) => secrets.has(id))) return false;
    const runId = run.run.id;
    const canResume = runtimes.can(thread.runtime, 'resume');
    const step = parkingStep({ runId, facts: run.facts, prompts, canResume });
    switch (step.do) {
      case 'keep':
        return false;
      case 'end':
        if (!run.run.killIntent) void supervisor.tryToEnd(runId, parkedIntent);
        return true;
      case 'park': {
        const { requestId } = step;
        return runners.send(runId, { type: 'park', requestId, commandId: `park-${requestId}` });
      }
      default:
        return step satisfies never;
    }
  }
}
