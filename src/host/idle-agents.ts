import { isSettled } from '../domain/run-facts.js';
import type { ThreadId } from '../protocol/id.js';
import type { StatusReport } from '../protocol/status.js';
import type { ThreadBook } from './thread-book.js';
import type { ThreadState } from './thread-state.js';
import type { Worker } from './worker.js';

export interface IdleAgentsOutside {
  readonly book: ThreadBook;
  readonly worker: Worker;
  readonly monotonic: () => number;
  /** Whether a dispatch of the thread is being driven. */
  readonly isDriven: (threadId: ThreadId) => boolean;
}

/** The agents that have nothing to do, and since when; they are ended when somebody else needs the place. */
export class IdleAgents {
  readonly #outside: IdleAgentsOutside;
  readonly #since = new Map<ThreadId, number>();

  constructor(outside: IdleAgentsOutside) {
    this.#outside = outside;
  }

  /** A thread has changed. */
  take({ thread, run }: ThreadState): void {
    if (!run || !rests(thread.status.state)) this.#since.delete(thread.id);
    else if (!this.#since.has(thread.id)) this.#since.set(thread.id, this.#outside.monotonic());
  }

  /** Ends those that have been idle for so long; they go on with their next message. */
  async reap(idleMs: number): Promise<void> {
    const now = this.#outside.monotonic();
    for (const [threadId, since] of this.#since)
      if (now - since >= idleMs) await this.#end(threadId, 'it was idle for long');
  }

  /** Ends the one that has been idle longest. */
  async makeRoom(): Promise<void> {
    for (const threadId of this.#since.keys())
      if (await this.#end(threadId, 'other work needs its place')) return;
  }

  isIdle({ thread, run }: ThreadState): boolean {
    return run !== null && isSettled(run.facts) && !this.#outside.isDriven(thread.id);
  }

  async #end(threadId: ThreadId, reason: string): Promise<boolean> {
    const state = await this.#outside.book.state(threadId);
    this.#since.delete(threadId);
    const { status } = state.thread;
    // A guess is good enough to start work on, not to end an agent.
    if (!state.run || !this.isIdle(state) || !rests(status.state) || status.confidence === 'weak')
      return false;
    await this.#outside.worker.end(state.run.run.id, reason);
    return true;
  }
}

/** A runtime whose process ends with its turn is stopped in between, and its runner waits. */
function rests(state: StatusReport['state']): boolean {
  return state === 'idle' || state === 'stopped';
}
