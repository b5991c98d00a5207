import { isSettled } from '../../domain/run/run-facts.js';
import type { ThreadId } from '../../protocol/id.js';
import type { StatusReport } from '../../protocol/status.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { Clock } from '../clock.js';
import type { DispatchExecutions } from '../dispatches/dispatch-executions.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { RunSupervisor } from './run-supervisor.js';

export interface IdleAgentsParts {
  readonly changes: ThreadChanges;
  readonly supervisor: RunSupervisor;
  readonly executions: DispatchExecutions;
  readonly clock: Clock;
}

/** The agents that have nothing to do, and since when; they are ended when somebody else needs the place. */
export class IdleAgents {
  readonly #parts: IdleAgentsParts;
  readonly #since = new Map<ThreadId, number>();

  constructor(parts: IdleAgentsParts) {
    this.#parts = parts;
  }

  /** Looks at a thread that has changed. */
  note({ thread, run }: ThreadState): void {
    if (!run || !rests(thread.status.state)) this.#since.delete(thread.id);
    else if (!this.#since.has(thread.id)) this.#since.set(thread.id, this.#parts.clock.monotonic());
  }

  /** Ends those that have been idle for this long; they go on with their next message. */
  async endIdleFor(idleMs: number): Promise<void> {
    const now = this.#parts.clock.monotonic();
    for (const [threadId, since] of this.#since)
      if (now - since >= idleMs) await this.#end(threadId, 'it was idle');
  }

  /** Ends the one that has been idle longest. */
  async makeRoom(): Promise<void> {
    for (const threadId of this.#since.keys())
      if (await this.#end(threadId, 'to make room for other work')) return;
  }

  /** Ends those whose thread is meant; they go on with their next message. */
  async endWhere(isMeant: (thread: StoredThread) => Promise<boolean>, reason: string): Promise<void> {
    for (const threadId of this.#since.keys()) {
      const { thread } = await this.#parts.changes.state(threadId);
      if (await isMeant(thread)) await this.#end(threadId, reason);
    }
  }

  isIdle({ thread, run }: ThreadState): boolean {
    return run !== null && isSettled(run.facts) && !this.#parts.executions.isExecuting(thread.id);
  }

  async #end(threadId: ThreadId, reason: string): Promise<boolean> {
    const state = await this.#parts.changes.state(threadId);
    this.#since.delete(threadId);
    const { status } = state.thread;
    // A guess is good enough to start work on, not to end an agent.
    if (!state.run || !this.isIdle(state) || !rests(status.state) || status.confidence === 'weak')
      return false;
    await this.#parts.supervisor.end(state.run.run.id, reason);
    return true;
  }
}

/** A runtime whose process ends with its turn is stopped in between, and its runner waits. */
function rests(state: StatusReport['state']): boolean {
  return state === 'idle' || state === 'stopped';
}
