import { Failure } from '../../protocol/failure.js';
import type { RunId } from '../../protocol/id.js';
import type { Operation } from '../../store/operation.js';
import type { NewDispatch, StoredDispatch } from '../../store/stored-dispatch.js';
import { type Clock, instant } from '../clock.js';
import type { CommandDelivery } from '../runs/command-delivery.js';
import { ChangeRefused, type ThreadChanges } from '../threads/thread-changes.js';
import { isIdle, type ThreadState } from '../threads/thread-state.js';
import type { Dispatcher } from './dispatcher.js';
import { attemptBeginning } from './leased-dispatch.js';
import { workMessageUuid } from './work-message.js';

export interface DirectStartParts {
  readonly changes: ThreadChanges;
  readonly delivery: CommandDelivery;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** Whether a budget holds for all work of a day. */
  readonly hasDailyBudget: boolean;
}

/**
 * Gives new work to the agent of its thread in the very commit that takes it in: stored, claimed, begun and said at once, where that agent
 * is idle and nothing is to be asked or looked up before. Otherwise it does nothing, and the work takes the usual way, step by step.
 */
export class DirectStart {
  readonly #parts: DirectStartParts;

  constructor(parts: DirectStartParts) {
    this.#parts = parts;
  }

  /** Whether the work is stored, and its agent has it. */
  async start(dispatch: NewDispatch): Promise<boolean> {
    const { changes, dispatcher } = this.#parts;
    if (!this.#isPlain(dispatch) || dispatcher.room < 1) return false;
    // The worker whose thread it is finds it in the queue.
    if ((await changes.foreignWorker(dispatch.threadId)) !== null) return false;
    if (!waitsFor(await changes.state(dispatch.threadId))) return false;
    let isStarted = false;
    await dispatcher.claiming(1, async (claim) => {
      const started = await this.#commit(dispatch, { ...claim, including: dispatch.id });
      isStarted = started !== null;
      return started ? [started] : [];
    });
    return isStarted;
  }

  /** What has a budget is counted first, and what has a time waits for it. */
  #isPlain({ request, notBefore }: NewDispatch): boolean {
    return request.budget === undefined && notBefore === undefined && !this.#parts.hasDailyBudget;
  }

  async #commit(dispatch: NewDispatch, claim: Operation<'claimDispatches'>): Promise<StoredDispatch | null> {
    const { id, threadId, text, actor, request } = dispatch;
    const { operation, event, attempt } = attemptBeginning({ id, attempts: [] }, instant(this.#parts.clock));
    const joining = (runId: RunId) => ({ do: 'addAttemptRun', dispatchId: id, attempt: 1, runId }) as const;
    let claimed: readonly StoredDispatch[] = [];
    try {
      const sent = await this.#parts.delivery.message(threadId, {
        uuid: workMessageUuid(id, 1),
        text,
        actor,
        attachments: request.attachments,
        dispatchId: id,
        beginsWork: true,
        unanswered: request.unanswered,
        before: [event],
        onlyIf: waitsFor,
        operations: (runId) => [{ do: 'insertDispatch', dispatch }, claim, operation, joining(runId)],
        committed: (results) => {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the claim is the second of these operations
          claimed = results[1] as readonly StoredDispatch[];
        },
      });
      if (!sent) return null;
      const its = claimed.find((each) => each.id === id);
      if (!its) throw new Failure('internal', `${id} was given to its agent and not claimed.`);
      return { ...its, attempts: [{ ...attempt, runIds: [sent.runId] }] };
    } catch (error) {
      // Something else comes first: the usual way finds out what.
      if (error instanceof ChangeRefused) return null;
      throw error;
    }
  }
}

/** Whether the agent of a thread waits for work, and nothing has to be looked at before it gets some. */
function waitsFor({ thread, run }: ThreadState): boolean {
  if (!run || run.run.process === undefined || thread.terminal) return false;
  return thread.budget === undefined && thread.launch.posture.skill === undefined && isIdle(run);
}
