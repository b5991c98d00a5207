import { setTimeout as delay } from 'node:timers/promises';
import { budgetOutcome } from '../../domain/dispatch/budget.js';
import {
  needsMessage,
  type ProgressSources,
  progressOf,
  promptsOf,
} from '../../domain/dispatch/dispatch-progress.js';
import { type Move, nextMove } from '../../domain/dispatch/next-move.js';
import {
  askingEnding,
  type Ending,
  failureOutcome,
  outcomeOf,
  timedOutEnding,
} from '../../domain/dispatch/outcome.js';
import { forgottenBy } from '../../domain/dispatch/session-of-try.js';
import { deniedTool, isOpen } from '../../domain/prompts/thread-prompt.js';
import type { RunFacts } from '../../domain/run/run-facts.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import { answerUuid } from '../prompts/answer-message.js';
import { askAgainUuid } from '../prompts/ask-again-message.js';
import { promptMessage } from '../prompts/prompt-message.js';
import type { SecretAnswers } from '../prompts/secret-answers.js';
import { promptChange, promptsIn } from '../prompts/thread-prompts.js';
import type { CommandDelivery } from '../runs/command-delivery.js';
import type { Interruption } from '../runs/interruption.js';
import type { RunLaunch } from '../runs/run-launch.js';
import type { RunSupervisor } from '../runs/run-supervisor.js';
import { ChangeRefused, type FollowingChange } from '../threads/thread-changes.js';
import { isIdle, type ThreadState } from '../threads/thread-state.js';
import { bindToApproved } from './approved-changes.js';
import type { BudgetKeeper } from './budget-keeper.js';
import { executionFailure } from './execution-failure.js';
import { type ForgottenAnswersParts, tellForgottenAnswers } from './forgotten-answers.js';
import { type Conclusion, LeasedDispatch, type LeasedDispatchParts } from './leased-dispatch.js';
import { verifiedOutcome, verify } from './verification.js';
import { messageActor, workMessage, workMessageUuid } from './work-message.js';

const storeAgainMs = 1000;
const verifyMs = 30 * 60_000;
const keptOutput = 8000;

export interface DispatchExecutionParts extends LeasedDispatchParts, ForgottenAnswersParts {
  readonly supervisor: RunSupervisor;
  readonly delivery: CommandDelivery;
  readonly launch: RunLaunch;
  readonly interruption: Interruption;
  readonly secrets: SecretAnswers;
  readonly budgets: BudgetKeeper;
  /** What a check of the work inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

/**
 * Executes one dispatch that this worker has the lease of, from what is committed to its one outcome. It keeps no state
 * of its own that matters: an execution that begins anew after a crash makes the same next move.
 */
export class DispatchExecution {
  readonly done: Promise<void>;
  readonly #parts: DispatchExecutionParts;
  readonly #leased: LeasedDispatch;
  readonly #stateChanged: () => void;
  readonly #abandoned = new AbortController();
  /** While it works on the thread; one that waits for a person, perhaps for days, keeps nothing in mind. */
  #held: Disposable | null = null;
  #wake: (() => void) | null = null;
  #isAwake = true;

  /** `stateChanged` is called when the dispatch begins to wait for a person, or a try of it has ended. */
  constructor(dispatch: StoredDispatch, parts: DispatchExecutionParts, stateChanged: () => void) {
    this.#leased = new LeasedDispatch(dispatch, parts);
    this.#parts = parts;
    this.#stateChanged = stateChanged;
    this.done = this.#run().finally(() => this.#letGo());
  }

  get dispatch(): StoredDispatch {
    return this.#leased.row;
  }

  get leased(): LeasedDispatch {
    return this.#leased;
  }

  /** Something changed in the thread. */
  wake(): void {
    this.#isAwake = true;
    this.#wake?.();
  }

  /** Leaves the dispatch as it is: it has ended otherwise, or another worker goes on. */
  abandon(): void {
    this.#abandoned.abort();
    this.wake();
  }

  /** What ends this work together with the events that are being recorded, where nothing has to be looked at before. */
  following(state: ThreadState): FollowingChange | null {
    const { verify } = this.dispatch.request;
    // Only where it waits: whatever else it is doing, it has decided on an earlier state.
    if (!this.#wake || !isUnderWay(this.dispatch) || this.#leased.isOverTime) return null;
    const move = nextMove(progressOf(this.#sources(state)));
    if (move.do !== 'conclude' || move.ending.execution.kind === 'crashed') return null;
    const outcome = outcomeOf(move.ending);
    if (verify !== undefined && outcome.result === 'succeeded') return null;
    const { change, concluded } = this.#leased.concluding({ outcome });
    return { ...change(state), committed: concluded };
  }

  async #run(): Promise<void> {
    while (!this.#abandoned.signal.aborted && isUnderWay(this.dispatch)) {
      this.#isAwake = false;
      this.#held ??= this.#parts.changes.hold(this.dispatch.threadId);
      try {
        const state = await this.#parts.changes.state(this.dispatch.threadId);
        // It may have been ended together with what woke it.
        if (this.#abandoned.signal.aborted || !isUnderWay(this.dispatch)) return;
        if (this.#leased.isOverTime) await this.#endByTimeout();
        else await this.#make(nextMove(progressOf(this.#sources(state))), state);
      } catch (error) {
        // Ended otherwise, or another worker executes it.
        if (error instanceof ChangeRefused) return;
        await this.#failed(executionFailure(error));
      }
    }
  }

  async #make(move: Move, state: ThreadState): Promise<void> {
    switch (move.do) {
      case 'wait':
        await this.#untilWoken();
        return;
      case 'begin_attempt':
        await this.#beginAttempt(state);
        return;
      case 'launch':
        await this.#launch(state);
        return;
      case 'send':
        if (state.run) await this.#send(state.run.facts);
        return;
      case 'carry_answers':
        await this.#carryAnswers(state);
        return;
      case 'send_unsent':
        await this.#parts.delivery.sendUnsent(this.dispatch.threadId);
        return;
      case 'await_person':
        await this.#leased.awaitPerson({
          ...move,
          costUsd: (state.run?.facts ?? state.end?.facts)?.spentUsd ?? undefined,
        });
        this.#stateChanged();
        return;
      case 'go_on':
        await this.#leased.patch({ state: 'running', why: null });
        return;
      case 'refuse_question':
        await this.#refuseQuestion();
        return;
      case 'conclude':
        await this.#verifyAndConclude(move.ending, state);
        return;
      default:
        move satisfies never;
    }
  }

  #sources({ run, end, prompts }: ThreadState): ProgressSources {
    const { id, state, request, attempts } = this.dispatch;
    return {
      dispatch: { id, state, noInput: request.noInput ?? false, attempts },
      run: run && {
        id: run.run.id,
        startedAt: run.run.startedAt,
        facts: run.facts,
        // Whoever is being ended is given nothing more.
        isStarted: run.run.process !== undefined && run.run.killIntent === undefined,
      },
      end,
      prompts,
      now: this.#parts.clock.now(),
      answerUuid,
      askAgainUuid,
      hasSecret: (id) => this.#parts.secrets.has(id),
    };
  }

  async #beginAttempt(state: ThreadState): Promise<void> {
    if (!(await this.#mayBegin())) return;
    const { run } = state;
    if (await this.#tellForgotten(state)) return;
    // An answer goes on with the work; it is brought by a message of its own.
    if (promptsOf(this.#sources(state)).length > 0) return await this.#leased.beginAttempt();
    const isFresh = this.#leased.begins === 'fresh';
    if (run && isFresh) await this.#parts.supervisor.end(run.run.id, 'to start it afresh');
    // Where an idle agent waits, the try begins and the work is sent in one commit.
    if (run && !isFresh && isIdle(run)) await this.#send(run.facts, this.#leased.beginning());
    else await this.#leased.beginAttempt();
  }

  /** Whether there was something to tell; what comes next is decided on that. */
  async #tellForgotten(state: ThreadState): Promise<boolean> {
    const { thread, run, end } = state;
    const facts = run?.facts ?? end?.facts;
    const forgotten = forgottenBy({
      begins: this.#leased.begins,
      tries: this.dispatch.attempts.length,
      isUnderWay: this.#leased.attempt !== null,
      hasUntold: promptsOf(this.#sources(state)).length > 0,
      canResume: this.#parts.launch.canResume(thread),
      newest: facts ? { session: facts.session.state, isAlive: run !== null } : null,
    });
    return await tellForgottenAnswers(this.#leased, this.#parts, { forgotten, run: run?.run.id });
  }

  /** Whether another turn may be paid for; where a person has to say so, nothing happens until then. */
  async #mayBegin(): Promise<boolean> {
    const verdict = await this.#parts.budgets.check(this.#leased);
    if (verdict.may === 'begin') return true;
    if (verdict.may === 'end') await this.#conclude({ outcome: budgetOutcome(verdict.why) });
    else {
      if (verdict.isNew) this.#stateChanged();
      await this.#untilWoken();
    }
    return false;
  }

  async #launch(state: ThreadState): Promise<void> {
    const { id, threadId } = this.dispatch;
    if (await this.#tellForgotten(state)) return;
    const { signal } = this.#abandoned;
    const { attempt, begins: how } = this.#leased;
    const earlier = attempt?.runIds ?? [];
    const runId = await this.#parts.launch.launch(threadId, { how, earlier, work: id, signal });
    if (runId === null) return;
    // A try that goes on after its process was gone; at its beginning the run joins with the first message.
    if (earlier.length > 0) await this.#leased.join(runId);
  }

  async #send(facts: RunFacts, beginning?: ReturnType<LeasedDispatch['beginning']>): Promise<void> {
    const { id, threadId, attempts, request, actor } = this.dispatch;
    const number = attempts.length + (beginning ? 1 : 0);
    const before = attempts[number - 2]?.outcome;
    const sent = await this.#parts.delivery.message(threadId, {
      uuid: workMessageUuid(id, number),
      text: this.#workText(before, facts.session.state === 'open'),
      actor: messageActor(actor, before),
      attachments: request.attachments,
      dispatchId: id,
      beginsWork: true,
      unanswered: request.unanswered,
      ...(beginning ? { before: [beginning.event] } : {}),
      operations: (runId) => [
        ...(beginning ? [beginning.operation] : []),
        this.#leased.joining(runId, number),
      ],
      lease: this.#leased.lease,
    });
    if (!sent) return;
    beginning?.begun();
    this.#leased.joined(sent.runId);
  }

  #workText(before: Outcome | undefined, hasSession: boolean): string {
    const { text, request, allowance } = this.dispatch;
    const isClosing = allowance?.isClosing ?? false;
    return workMessage({ text, verify: request.verify, before, hasSession, isClosing });
  }

  async #carryAnswers(state: ThreadState): Promise<void> {
    const { id, threadId, attempts, request } = this.dispatch;
    const { work, session } = state.run?.facts ?? {};
    const { changes } = this.#parts;
    const sources = this.#sources(state);
    // A runtime without sessions remembers nothing from one turn to the next.
    let isFirst = work?.isKnown === false || session?.state !== 'open';
    // A run that follows one whose try has ended is for no work yet.
    let beginsWork = work === null;
    for (const prompt of promptsOf(sources)) {
      if (!needsMessage(prompt, sources)) continue;
      await bindToApproved(prompt, { changes, leased: this.#leased, cwd: state.thread.workspace.path });
      const words = promptMessage(prompt);
      // A secret that waits in memory is still to be asked for.
      const isAskedAgain = isOpen(prompt) && state.run !== null;
      const sent = await this.#parts.delivery.message(threadId, {
        uuid: isAskedAgain ? askAgainUuid(prompt.id, state.run.run.id) : answerUuid(prompt.id),
        text: isFirst ? `${this.#workText(attempts.at(-2)?.outcome, false)}\n\n${words}` : words,
        ...(isFirst ? { attachments: request.attachments } : {}),
        actor: prompt.actor ?? 'worker',
        dispatchId: id,
        beginsWork,
        unanswered: request.unanswered,
        deniedTool: deniedTool(prompt),
        // A try that begins with an answer has no run before.
        operations: (runId) => (this.#leased.has(runId) ? [] : [this.#leased.joining(runId)]),
        lease: this.#leased.lease,
      });
      if (sent && !this.#leased.has(sent.runId)) this.#leased.joined(sent.runId);
      isFirst = false;
      beginsWork = false;
    }
  }

  async #refuseQuestion(): Promise<void> {
    const { threadId } = this.dispatch;
    const refused = await this.#parts.changes.commit(threadId, (state) => {
      const prompts = promptsIn(state);
      prompts.cancelAll('dispatch_cancelled');
      return { ...promptChange(state, prompts, state.prompts.filter(isOpen)), lease: this.#leased.lease };
    });
    const reason = 'nobody is there to answer';
    await this.#parts.delivery.withdrawAll(
      threadId,
      (refused ?? []).map((prompt) => ({ ...prompt, reason })),
    );
    await this.#parts.interruption.interrupt(threadId);
    await this.#conclude({ outcome: outcomeOf(askingEnding) });
  }

  async #endByTimeout(): Promise<void> {
    await this.#parts.interruption.interrupt(this.dispatch.threadId);
    await this.#conclude({ outcome: outcomeOf(timedOutEnding) });
  }

  async #verifyAndConclude(ending: Ending, { thread }: ThreadState): Promise<void> {
    const { id, request } = this.dispatch;
    const command = request.verify;
    // Somebody may have said something more to the agent by the time this is committed.
    const unless = (state: ThreadState) => nextMove(progressOf(this.#sources(state))).do !== 'conclude';
    // A program that is gone by now was gone when its agent was to start, and so with a login and settings that are broken.
    const missing = ending.execution.kind === 'crashed' ? await this.#parts.launch.whyNot(thread) : null;
    if (missing) {
      await this.#conclude({ outcome: failureOutcome(missing), unless });
      return;
    }
    if (command === undefined || outcomeOf(ending).result !== 'succeeded') {
      await this.#conclude({ outcome: outcomeOf(ending), unless });
      return;
    }
    const found = await verify({
      command,
      cwd: thread.workspace.path,
      env: this.#parts.env,
      signal: this.#abandoned.signal,
      timeoutMs: verifyMs,
    });
    if (this.#abandoned.signal.aborted) return;
    const output = found.output.slice(-keptOutput);
    const verified = { type: 'verified', dispatchId: id, command, passed: found.passed, output } as const;
    await this.#conclude({ outcome: verifiedOutcome(ending, found, keptOutput), before: [verified], unless });
  }

  async #conclude(conclusion: Conclusion): Promise<void> {
    await this.#leased.conclude(conclusion);
    this.#stateChanged();
  }

  async #failed(failure: Failure): Promise<void> {
    const { log } = this.#parts;
    log(`${this.dispatch.id}: ${failure.message}`);
    // A full disk passes.
    if (failure.code === 'unavailable') {
      await delay(storeAgainMs);
      return;
    }
    try {
      await this.#conclude({ outcome: failureOutcome(failure) });
    } catch (error) {
      log(`${this.dispatch.id}: ${errorSentence(error)}`);
      await delay(storeAgainMs);
    }
  }

  #letGo(): void {
    this.#held?.[Symbol.dispose]();
    this.#held = null;
  }

  async #untilWoken(): Promise<void> {
    if (this.#isAwake || this.#abandoned.signal.aborted) return;
    this.#letGo();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = null;
  }
}

function isUnderWay({ state }: StoredDispatch): boolean {
  return state === 'running' || state === 'waiting';
}
