import { isSettled, type RunFacts } from '../../domain/run/run-facts.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { RunId, ThreadId } from '../../protocol/id.js';
import type { Clock } from '../clock.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import { type ThreadState, withFacts } from '../threads/thread-state.js';
import type { AttachedRunners } from './attached-runners.js';
import type { RunSupervisor } from './run-supervisor.js';

// Agents stop within milliseconds; one that does not is stuck in something that only its end can stop.
const startsWithinMs = 60_000;
const wantedWithinMs = 2000;
const patienceMs = 10_000;

// A turn that was about to begin is not there yet, and an interrupt in between cancels nothing.
const againMs = 250;

export interface InterruptionParts {
  readonly changes: ThreadChanges;
  readonly supervisor: RunSupervisor;
  readonly runners: AttachedRunners;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Stops what the agent of a thread is doing; the agent stays, unless it does not stop in time. */
export class Interruption {
  readonly #parts: InterruptionParts;

  constructor(parts: InterruptionParts) {
    this.#parts = parts;
  }

  /** The same for whoever does not wait until it has stopped. */
  begin(threadId: ThreadId): void {
    this.interrupt(threadId).catch((error: unknown) =>
      this.#parts.log(`${threadId} could not be interrupted: ${errorSentence(error)}`),
    );
  }

  async interrupt(threadId: ThreadId): Promise<void> {
    const { changes, supervisor } = this.#parts;
    const { run } = await changes.state(threadId);
    if (!run) return;
    const runId = run.run.id;
    if (!(await this.#stopsInTime(threadId, runId))) {
      await supervisor.end(runId, 'it did not respond to an interrupt');
      return;
    }
    // One that has not said a word would be taken for one that is starting, for ever; other work may want it first.
    const isStarted = ({ run: now }: ThreadState) => now?.run.id !== runId || now.run.process !== undefined;
    const isUseful = ({ run: now }: ThreadState) =>
      now?.run.id !== runId || !isWordless(now.facts) || now.facts.sent.length > 0;
    if (isUseful(await changes.until(threadId, isStarted, AbortSignal.timeout(startsWithinMs)))) return;
    if (isUseful(await changes.until(threadId, isUseful, AbortSignal.timeout(wantedWithinMs)))) return;
    await supervisor.end(runId, 'it was interrupted before it had begun');
  }

  async #stopsInTime(threadId: ThreadId, runId: RunId): Promise<boolean> {
    const { changes, supervisor, runners, clock } = this.#parts;
    const isOver = (state: ThreadState) => state.run?.run.id !== runId || isSettled(state.run.facts);
    if (isOver(await changes.state(threadId))) return true;
    for (let waited = 0; waited < patienceMs; waited += againMs) {
      // Nobody is there who could stop anything.
      if (supervisor.isSilent(runId)) return false;
      if (supervisor.has(runId) && !runners.has(runId)) await this.#withdrawMessages(threadId, runId);
      runners.send(runId, { type: 'interrupt', commandId: `interrupt-${runId}-${clock.now()}-${waited}` });
      if (isOver(await changes.until(threadId, isOver, AbortSignal.timeout(againMs)))) return true;
    }
    return false;
  }

  /** What was not sent to the runner yet need not be stopped there. */
  async #withdrawMessages(threadId: ThreadId, runId: RunId): Promise<void> {
    await this.#parts.changes.commit(threadId, (state) => {
      if (state.run?.run.id !== runId || state.run.facts.sent.length === 0 || state.run.facts.signs.isAlive)
        return null;
      const facts = { ...state.run.facts, sent: [] };
      return {
        operations: [{ do: 'patchRun', runId, patch: { facts } }],
        state: withFacts(state, facts),
        result: undefined,
      };
    });
  }
}

/** Whether the agent was launched and nothing was heard of it; one whose process ends with its turn has said so. */
function isWordless({ signs }: RunFacts): boolean {
  return !signs.isAlive && signs.by.isAlive?.fact !== 'exited';
}
