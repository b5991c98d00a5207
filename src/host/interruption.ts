import { isSettled } from '../domain/run-facts.js';
import type { RunId, ThreadId } from '../protocol/id.js';
import type { ThreadBook } from './thread-book.js';
import type { ThreadState } from './thread-state.js';
import type { Worker } from './worker.js';

// Agents stop within milliseconds; one that does not is stuck in something that only its end can stop.
const patienceMs = 10_000;

// A turn that was about to begin is not there yet, and an interrupt in between cancels nothing.
const againMs = 250;

/** Stops what the agent of a thread is doing; the agent stays, unless it does not stop in time. */
export async function interruptThread(
  threadId: ThreadId,
  { book, worker, now }: { readonly book: ThreadBook; readonly worker: Worker; readonly now: () => number },
): Promise<void> {
  const { run } = await book.state(threadId);
  if (!run || isSettled(run.facts)) return;
  const runId = run.run.id;
  const isOver = (state: ThreadState) => state.run?.run.id !== runId || isSettled(state.run.facts);
  for (let waited = 0; waited < patienceMs; waited += againMs) {
    const watch = worker.watch(runId);
    if (watch?.isAttached === false) await withdrawMessages(threadId, runId, book);
    watch?.send({ type: 'interrupt', commandId: `interrupt-${runId}-${now()}-${waited}` });
    if (isOver(await book.until(threadId, isOver, AbortSignal.timeout(againMs)))) return;
  }
  await worker.end(runId, 'it did not stop in time');
}

/** What was not sent to the runner yet need not be stopped there. */
async function withdrawMessages(threadId: ThreadId, runId: RunId, book: ThreadBook): Promise<void> {
  await book.change(threadId, (state) => {
    if (state.run?.run.id !== runId || state.run.facts.sent.length === 0 || state.run.facts.signs.isAlive)
      return null;
    const facts = { ...state.run.facts, sent: [] };
    return {
      operations: [{ do: 'patchRun', runId, patch: { facts } }],
      state: { ...state, run: { ...state.run, facts } },
      result: undefined,
    };
  });
}
