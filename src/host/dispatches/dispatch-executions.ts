import type { DispatchId, ThreadId } from '../../protocol/id.js';
import type { FollowingChange } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { DispatchExecution } from './dispatch-execution.js';

/** The dispatches that this worker executes now. */
export class DispatchExecutions {
  readonly #executions = new Map<DispatchId, DispatchExecution>();
  /** Those that were left and still do their last step; one of them may be starting an agent. */
  readonly #leaving = new Set<DispatchExecution>();

  get all(): readonly DispatchExecution[] {
    return [...this.#executions.values()];
  }

  /** Those whose agent works; the others wait for a person. */
  get running(): readonly DispatchExecution[] {
    return this.all.filter(({ dispatch }) => dispatch.state === 'running');
  }

  add(execution: DispatchExecution): void {
    this.#executions.set(execution.dispatch.id, execution);
  }

  has(id: DispatchId): boolean {
    return this.#executions.has(id);
  }

  /** Forgets an execution, unless another one has taken its place. */
  delete(execution: DispatchExecution): void {
    const { id } = execution.dispatch;
    if (this.#executions.get(id) === execution) this.#executions.delete(id);
  }

  /** Leaves a dispatch that was ended by somebody else. */
  abandon(id: DispatchId): void {
    const execution = this.#executions.get(id);
    if (!execution) return;
    this.#executions.delete(id);
    void this.#leave(execution);
  }

  isExecuting(threadId: ThreadId): boolean {
    return this.all.some(({ dispatch }) => dispatch.threadId === threadId);
  }

  /** What follows for the work of a thread from a state that is about to be committed. */
  following(state: ThreadState): FollowingChange | null {
    const its = this.all.find(({ dispatch }) => dispatch.threadId === state.thread.id);
    return its?.following(state) ?? null;
  }

  /** Something changed in a thread. */
  wake(threadId: ThreadId): void {
    for (const execution of this.all) if (execution.dispatch.threadId === threadId) execution.wake();
  }

  /** Leaves all dispatches as they are, and waits until nothing is done any more, also for those that were left before. */
  async abandonAll(): Promise<void> {
    for (const execution of this.all) void this.#leave(execution);
    await Promise.all(Array.from(this.#leaving, async ({ done }) => await done.catch(() => {})));
  }

  async #leave(execution: DispatchExecution): Promise<void> {
    this.#leaving.add(execution);
    execution.abandon();
    await execution.done.catch(() => {});
    this.#leaving.delete(execution);
  }
}
