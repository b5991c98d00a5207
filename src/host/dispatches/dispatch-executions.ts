import type { DispatchId, ThreadId } from '../../protocol/id.js';
import type { FollowingChange } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { DispatchExecution } from './dispatch-execution.js';

/** The dispatches that this worker executes now. */
export class DispatchExecutions {
  readonly #executions = new Map<DispatchId, DispatchExecution>();

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
    this.#executions.get(id)?.abandon();
    this.#executions.delete(id);
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

  /** Leaves these dispatches as they are, and waits until nothing is done for them any more. */
  static async abandonAll(executions: readonly DispatchExecution[]): Promise<void> {
    for (const execution of executions) execution.abandon();
    await Promise.all(executions.map(async ({ done }) => await done.catch(() => {})));
  }
}
