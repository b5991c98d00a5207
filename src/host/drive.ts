import { setTimeout as delay } from 'node:timers/promises';
import { type Move, nextMove, type Standing } from '../domain/dispatch-move.js';
import { type Ending, outcomeOf, timedOutEnding } from '../domain/outcome.js';
import { isSettled, type RunFacts } from '../domain/run-facts.js';
import { exitCodeOf, Failure } from '../protocol/failure.js';
import type { Outcome } from '../protocol/outcome.js';
import type { StoredDispatch } from '../store/stored-dispatch.js';
import type { StoredPrompt } from '../store/stored-prompt.js';
import { answerMessage, answerUuid, uuidOf } from './answer-message.js';
import type { Courier } from './courier.js';
import { type Conclusion, HeldDispatch, type HeldDispatchOutside } from './held-dispatch.js';
import { interruptThread } from './interruption.js';
import type { Launcher } from './launcher.js';
import { PromptFold } from './prompt-fold.js';
import { Refused } from './thread-book.js';
import { isOpen, type LiveRun, type ThreadState } from './thread-state.js';
import { type Verification, verify } from './verification.js';
import { workMessage } from './work-message.js';
import type { Worker } from './worker.js';

const storeAgainMs = 1000;
// A call that was deferred asks again as soon as its session has started; a busy machine takes long to start one.
const asksAgainMs = 60_000;
const startsWithinMs = 10 * 60_000;
const verifyMs = 30 * 60_000;
const keptOutput = 8000;

export interface DriveOutside extends HeldDispatchOutside {
  readonly worker: Worker;
  readonly courier: Courier;
  readonly launcher: Launcher;
  readonly env: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  /** The dispatch has another state now. */
  readonly changed: () => void;
}

/**
 * Drives one dispatch that this worker holds the lease of, from what is committed to its one outcome. It keeps no state
 * of its own that matters: a drive that begins anew after a crash makes the same next move.
 */
export class Drive {
  readonly done: Promise<void>;
  readonly #outside: DriveOutside;
  readonly #held: HeldDispatch;
  readonly #abandoned = new AbortController();
  #wake: (() => void) | null = null;
  #isAwake = true;
  #activeMs = 0;
  #timedOut = false;

  constructor(dispatch: StoredDispatch, outside: DriveOutside) {
    this.#held = new HeldDispatch(dispatch, outside);
    this.#outside = outside;
    this.done = this.#run();
  }

  get dispatch(): StoredDispatch {
    return this.#held.row;
  }

  /** Something changed in the thread. */
  wake(): void {
    this.#isAwake = true;
    this.#wake?.();
  }

  /** So much time has passed while this worker was awake; waiting for a person does not count. */
  passed(ms: number): void {
    const { state, request } = this.dispatch;
    if (request.timeoutSeconds === undefined || state !== 'running') return;
    this.#activeMs += ms;
    if (this.#activeMs < request.timeoutSeconds * 1000 || this.#timedOut) return;
    this.#timedOut = true;
    this.wake();
  }

  /** Leaves the dispatch as it is: it has ended otherwise, or another worker goes on. */
  abandon(): void {
    this.#abandoned.abort();
    this.wake();
  }

  async #run(): Promise<void> {
    while (!this.#abandoned.signal.aborted && isUnderWay(this.dispatch)) {
      this.#isAwake = false;
      try {
        const state = await this.#outside.book.state(this.dispatch.threadId);
        if (this.#abandoned.signal.aborted) return;
        if (this.#timedOut) await this.#endByTimeout();
        else await this.#make(nextMove(this.#standing(state)), state);
      } catch (error) {
        // Ended otherwise, or another worker drives it.
        if (error instanceof Refused) return;
        await this.#failed(error instanceof Failure ? error : new Failure('internal', words(error)));
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
        await this.#launch();
        return;
      case 'send':
        if (state.run) await this.#send(state.run.facts);
        return;
      case 'carry_answers':
        await this.#carryAnswers(state);
        return;
      case 'send_held':
        await this.#outside.courier.sendHeld(this.dispatch.threadId);
        return;
      case 'await_person':
        await this.#held.patch({ state: 'waiting', why: 'the agent asks and waits for an answer' });
        this.#outside.changed();
        return;
      case 'go_on':
        await this.#held.patch({ state: 'running', why: null });
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

  #standing(state: ThreadState): Standing {
    return {
      state: this.dispatch.state,
      noInput: this.dispatch.request.noInput ?? false,
      attempt: this.#held.attempt,
      run: state.run && {
        id: state.run.run.id,
        facts: state.run.facts,
        isStarted: state.run.run.process !== undefined && !this.#isDeclining(state.run),
      },
      end: state.end,
      prompts: this.#prompts(state).map((prompt) => ({
        isOpen: isOpen(prompt),
        needsMessage: needsMessage(prompt, state, this.#outside.now()),
      })),
    };
  }

  /** An old call is still to hear that nobody answers; a message in between would be lost with it. */
  #isDeclining({ run, facts }: LiveRun): boolean {
    return facts.declines !== undefined && mayAskAgain({ run, facts }, this.#outside.now());
  }

  /** The prompts of this dispatch; a thread may have an unused answer from an earlier one. */
  #prompts({ prompts }: ThreadState): readonly StoredPrompt[] {
    const since = this.dispatch.attempts[0]?.startedAt ?? '';
    return prompts.filter(({ createdAt }) => createdAt >= since);
  }

  async #beginAttempt({ run }: ThreadState): Promise<void> {
    this.#activeMs = 0;
    const isRetry = this.dispatch.attempts.length > 0;
    const isFresh = isRetry && this.#held.begins === 'fresh';
    if (run && isFresh) await this.#outside.worker.end(run.run.id, 'a fresh start');
    // Where an idle agent waits, the try begins and the work is sent in one commit.
    if (run && !isFresh && isSettled(run.facts)) await this.#send(run.facts, this.#held.beginning());
    else await this.#held.beginAttempt();
  }

  async #launch(): Promise<void> {
    const { id, threadId } = this.dispatch;
    const runId = await this.#outside.launcher.launch(threadId, { how: this.#held.begins, work: id });
    // A try that goes on after its process was gone; at its beginning the run joins with the first message.
    if (this.#held.attempt && this.#held.attempt.runIds.length > 0) await this.#held.join(runId);
  }

  async #send(facts: RunFacts, beginning?: ReturnType<HeldDispatch['beginning']>): Promise<void> {
    const { id, threadId, attempts, request, actor } = this.dispatch;
    const number = attempts.length + (beginning ? 1 : 0);
    const sent = await this.#outside.courier.message(threadId, {
      uuid: uuidOf(`${id} attempt ${number}`),
      text: workMessage({
        request,
        before: attempts[number - 2]?.outcome,
        hasSession: facts.sessionId !== undefined,
      }),
      actor,
      attachments: request.attachments,
      dispatchId: id,
      beginsWork: true,
      unanswered: request.unanswered,
      ...(beginning ? { before: [beginning.event] } : {}),
      operations: (runId) => [...(beginning ? [beginning.operation] : []), this.#held.joining(runId, number)],
      lease: this.#held.lease,
    });
    if (!sent) return;
    beginning?.begun();
    this.#held.joined(sent.runId);
  }

  async #carryAnswers(state: ThreadState): Promise<void> {
    const { id, threadId, request } = this.dispatch;
    const { startsAfresh, sessionId } = state.run?.facts ?? {};
    // A runtime without sessions remembers nothing from one turn to the next.
    let isFirst = startsAfresh === true || sessionId === undefined;
    for (const prompt of this.#prompts(state)) {
      if (isOpen(prompt) || !needsMessage(prompt, state, this.#outside.now())) continue;
      await this.#outside.courier.message(threadId, {
        uuid: answerUuid(prompt.id),
        text: isFirst ? `${request.text}\n\n${answerMessage(prompt)}` : answerMessage(prompt),
        ...(isFirst ? { attachments: request.attachments } : {}),
        actor: prompt.actor ?? 'worker',
        dispatchId: id,
        beginsWork: false,
        lease: this.#held.lease,
      });
      isFirst = false;
    }
  }

  async #refuseQuestion(): Promise<void> {
    await this.#outside.book.change(this.dispatch.threadId, (state) => {
      const prompts = new PromptFold(state);
      prompts.cancelAll('dispatch_cancelled');
      return { ...prompts.change(undefined), lease: this.#held.lease };
    });
    await interruptThread(this.dispatch.threadId, this.#outside);
    const ending = {
      execution: { kind: 'completed' },
      claim: 'needs_input',
      verification: 'not_run',
    } as const;
    await this.#conclude({ outcome: outcomeOf(ending) });
  }

  async #endByTimeout(): Promise<void> {
    await interruptThread(this.dispatch.threadId, this.#outside);
    await this.#conclude({ outcome: outcomeOf(timedOutEnding) });
  }

  async #verifyAndConclude(ending: Ending, { thread }: ThreadState): Promise<void> {
    const { id, request } = this.dispatch;
    const command = request.verify;
    // Somebody may have said something more to the agent by the time this is committed.
    const unless = (state: ThreadState) => nextMove(this.#standing(state)).do !== 'conclude';
    if (command === undefined || outcomeOf(ending).result !== 'succeeded') {
      await this.#conclude({ outcome: outcomeOf(ending), unless });
      return;
    }
    const found = await verify({
      command,
      cwd: thread.workspace.path,
      env: this.#outside.env,
      signal: this.#abandoned.signal,
      timeoutMs: verifyMs,
    });
    if (this.#abandoned.signal.aborted) return;
    const output = found.output.slice(-keptOutput);
    const said = { type: 'verified', dispatchId: id, command, passed: found.passed, output } as const;
    await this.#conclude({ outcome: verifiedOutcome(ending, found), before: [said], unless });
  }

  async #conclude(conclusion: Conclusion): Promise<void> {
    await this.#held.conclude(conclusion);
    this.#outside.changed();
  }

  async #failed(failure: Failure): Promise<void> {
    this.#outside.log(`${this.dispatch.id}: ${failure.message}`);
    // A full disk passes.
    if (failure.code === 'unavailable') {
      await delay(storeAgainMs);
      return;
    }
    try {
      await this.#conclude({ outcome: outcomeOfFailure(failure) });
    } catch (error) {
      this.#outside.log(`${this.dispatch.id}: ${words(error)}`);
      await delay(storeAgainMs);
    }
  }

  async #untilWoken(): Promise<void> {
    if (this.#isAwake || this.#abandoned.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = null;
  }
}

function isUnderWay({ state }: StoredDispatch): boolean {
  return state === 'running' || state === 'waiting';
}

/** Whether a call of an earlier life may still come back: its session starts, or has just started. */
function mayAskAgain({ run, facts }: LiveRun, now: number): boolean {
  const alive = facts.signs.by.isAlive;
  const since = now - Date.parse(alive?.at ?? run.startedAt);
  return since < (alive ? asksAgainMs : startsWithinMs);
}

/** Whether an answer cannot go into the call that asked, because nobody waits there any more. */
function needsMessage(prompt: StoredPrompt, { run }: ThreadState, now: number): boolean {
  if (isOpen(prompt)) return false;
  // A request that its turn left behind waits for nobody.
  const isWaitedFor =
    prompt.requestId !== undefined && run !== null && run.run.id === prompt.runId && !isSettled(run.facts);
  // A call that was deferred asks again by itself, in the first turn of the next life.
  const asksAgain =
    run?.facts.takesUp !== undefined &&
    run.facts.takesUp === prompt.toolUseId &&
    run.facts.lastTurn === undefined &&
    mayAskAgain(run, now);
  const isOnItsWay = run?.facts.sent.some(({ uuid }) => uuid === answerUuid(prompt.id)) ?? false;
  return !isWaitedFor && !isOnItsWay && !asksAgain;
}

function verifiedOutcome(ending: Ending, found: Verification): Outcome {
  const outcome = outcomeOf({ ...ending, verification: found.passed ? 'passed' : 'failed' });
  return found.passed ? outcome : { ...outcome, verificationOutput: found.output.slice(-keptOutput) };
}

/** What could not even begin. */
function outcomeOfFailure(failure: Failure): Outcome {
  return {
    result: 'failed',
    exitCode: exitCodeOf(failure),
    reason: failure.code,
    retriable: false,
    execution: { kind: 'error', error: failure.code },
    claim: 'none',
    verification: 'not_run',
    summary: failure.message,
  };
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
