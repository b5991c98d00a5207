import { isSettled } from '../domain/run-facts.js';
import type { ThreadId } from '../protocol/id.js';
import type { ThreadBook } from './thread-book.js';
import type { Worker } from './worker.js';

// Agents stop within milliseconds; one that does not is stuck in something that only its end can stop.
const patienceMs = 10_000;

/** Stops what the agent of a thread is doing; the agent stays, unless it does not stop in time. */
export async function interruptThread(
  threadId: ThreadId,
  { book, worker, now }: { readonly book: ThreadBook; readonly worker: Worker; readonly now: () => number },
): Promise<void> {
  const { run } = await book.state(threadId);
  if (!run || isSettled(run.facts)) return;
  const runId = run.run.id;
  worker.watch(runId)?.send({ type: 'interrupt', commandId: `interrupt-${runId}-${now()}` });
  const isOver = (state: { run: typeof run | null }) =>
    state.run?.run.id !== runId || isSettled(state.run.facts);
  const after = await book.until(threadId, isOver, AbortSignal.timeout(patienceMs));
  if (!isOver(after)) await worker.end(runId, 'it did not stop in time');
}
