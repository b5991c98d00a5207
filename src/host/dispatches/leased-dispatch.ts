import { costOfTries } from '../../domain/dispatch/cost.js';
import { deferredUntil } from '../../domain/dispatch/deferral.js';
import { escalationQuestion, isEscalated } from '../../domain/dispatch/escalation.js';
import { askingEnding, outcomeOf } from '../../domain/dispatch/outcome.js';
import {
  afterAttempt,
  beginnings,
  isLimited,
  isLoss,
  type Step,
} from '../../domain/dispatch/retry-policy.js';
import { askOwn, useOwn } from '../../domain/prompts/own-prompt.js';
import { isOnItsWay, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { withoutWork } from '../../domain/run/run-work.js';
import type { Allowance } from '../../protocol/budget.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { PromptId, RunId } from '../../protocol/id.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { Question } from '../../protocol/question.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { Operation } from '../../store/operation.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import { type Clock, instant } from '../clock.js';
import { sha256 } from '../sha256.js';
import type { FollowingChange, ThreadChanges } from '../threads/thread-changes.js';
import { type ThreadState, withFacts } from '../threads/thread-state.js';
import { askedLanding } from './asked-landing.js';

export interface LeasedDispatchParts {
  readonly changes: ThreadChanges;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** How many more tries work gets that does not say. */
  readonly retries: number;
  readonly newPromptId: () => PromptId;
}

/** How a try ended, and what the thread shows before that. */
export interface Conclusion {
  readonly outcome: Outcome;
  readonly before?: readonly ThreadEventBody[];
  /** Whether there is something to wait for after all. */
  readonly unless?: (state: ThreadState) => boolean;
}

/** A dispatch that this worker has the lease of. Every write is fenced by the lease and refused once it is lost. */
export class LeasedDispatch {
  readonly #parts: LeasedDispatchParts;
  #row: StoredDispatch;
  #activeMs: number;

  constructor(row: StoredDispatch, parts: LeasedDispatchParts) {
    this.#row = row;
    this.#parts = parts;
    this.#activeMs = this.attempt?.activeMs ?? 0;
  }

  get row(): StoredDispatch {
    return this.#row;
  }

  get lease() {
    const { id, lease } = this.#row;
    if (!lease) throw new Failure('internal', `${id} is executed without a lease.`);
    return { dispatchId: id, epoch: lease.epoch };
  }

  /** The try that is under way. */
  get attempt() {
    const attempt = this.#row.attempts.at(-1);
    return attempt && attempt.endedAt === undefined ? attempt : null;
  }

  /** How the try that is under way, or the next one, begins: with the session of the last one, or without. */
  get begins(): 'resume' | 'fresh' {
    return beginnings({ outcomes: this.#outcomes, retries: this.#retries }).at(-1) ?? 'resume';
  }

  /** Whether the agent has worked on this try for as long as the request allows. */
  get isOverTime(): boolean {
    const { timeoutSeconds } = this.#row.request;
    return timeoutSeconds !== undefined && this.#activeMs >= timeoutSeconds * 1000;
  }

  /** So much time has passed while this worker was awake; waiting for a person does not count. */
  addActiveTime(ms: number): void {
    if (this.#row.state === 'running' && this.attempt) this.#activeMs += ms;
  }

  /** What keeps the time of the try, where a restart must not forget it. */
  get activeTime(): Operation<'setActiveTime'>[] {
    const { id, attempts, request } = this.#row;
    if (request.timeoutSeconds === undefined || !this.attempt) return [];
    const activeMs = Math.round(this.#activeMs);
    return [{ do: 'setActiveTime', dispatchId: id, attempt: attempts.length, activeMs }];
  }

  async beginAttempt(): Promise<void> {
    const { operation, event, begun } = this.beginning();
    await this.#commit([operation], [event]);
    begun();
  }

  /** What begins the next try, to be committed by whoever has more to do at once. */
  beginning() {
    const { attempts } = this.#row;
    const { operation, event, attempt } = attemptBeginning(this.#row, instant(this.#parts.clock));
    const begun = () => {
      this.#activeMs = 0;
      this.#row = { ...this.#row, attempts: [...attempts, attempt] };
    };
    return { operation, event, begun };
  }

  /** Counts a run to the try; committed with the message that goes to it. */
  joining(runId: RunId, attempt = this.#row.attempts.length): Operation {
    return { do: 'addAttemptRun', dispatchId: this.#row.id, attempt, runId };
  }

  async join(runId: RunId): Promise<void> {
    await this.#commit([this.joining(runId)]);
    this.joined(runId);
  }

  joined(runId: RunId): void {
    const attempts = this.#row.attempts.map((attempt, index, all) =>
      index === all.length - 1 ? { ...attempt, runIds: [...attempt.runIds, runId] } : attempt,
    );
    this.#row = { ...this.#row, attempts };
  }

  /** Whether the try that is under way knows this run. */
  has(runId: RunId): boolean {
    return this.attempt?.runIds.includes(runId) ?? false;
  }

  /** The agent asks; one that has stopped to ask has ended its try, and the answer begins the next. */
  async awaitPerson({
    endsAttempt,
    costUsd,
  }: {
    readonly endsAttempt: boolean;
    readonly costUsd: number | undefined;
  }): Promise<void> {
    const waiting = { state: 'waiting', why: 'the agent is waiting for an answer' } as const;
    const outcome = outcomeOf({ ...askingEnding, ...given({ costUsd }) });
    const endedAt = instant(this.#parts.clock);
    const ending = endsAttempt ? this.#endingAttempt(outcome) : this.activeTime;
    await this.#commit([this.#patching(waiting), ...ending]);
    const attempts = this.#row.attempts.map((attempt, index, all) =>
      endsAttempt && index === all.length - 1 ? { ...attempt, endedAt, outcome } : attempt,
    );
    this.#row = { ...this.#row, state: 'waiting', attempts };
  }

  async patch(patch: { readonly state: 'waiting' | 'running'; readonly why: string | null }): Promise<void> {
    await this.#commit([this.#patching(patch), ...this.activeTime]);
    this.#row = { ...this.#row, state: patch.state };
  }

  /** Asks a person before the next turn; nothing of it runs meanwhile. */
  async hold(
    question: Question,
    { why, allowance }: { readonly why: string; readonly allowance: Allowance },
  ): Promise<void> {
    const { threadId } = this.#row;
    const id = this.#parts.newPromptId();
    const createdAt = instant(this.#parts.clock);
    const patch = { state: 'waiting', why, decision: id, allowance } as const;
    await this.#parts.changes.commit(threadId, (state) => {
      const own = askOwn(state.prompts, { id, threadId, createdAt, question, sha256 });
      return {
        operations: [...own.changes, this.#patching(patch)],
        events: own.events,
        state: { ...state, prompts: own.prompts },
        lease: this.lease,
        result: undefined,
      };
    });
    this.#row = { ...this.#row, state: 'waiting', decision: id, allowance };
  }

  /** A person has decided: what it may spend from now on, in one commit with the use of the answer. */
  async goOn(decided: {
    readonly allowance: Allowance;
    readonly prompt: ThreadPrompt | null;
    readonly operations: readonly Operation[];
  }): Promise<void> {
    const { allowance, prompt } = decided;
    const patch = { state: 'running', why: null, decision: null, allowance } as const;
    await this.#parts.changes.commit(this.#row.threadId, (state) => {
      const used =
        prompt && isOnItsWay(prompt) ? useOwn(state.prompts, prompt, instant(this.#parts.clock)) : null;
      return {
        operations: [this.#patching(patch), ...decided.operations, ...(used?.changes ?? [])],
        events: used?.events ?? [],
        state: { ...state, prompts: used?.prompts ?? state.prompts },
        lease: this.lease,
        result: undefined,
      };
    });
    const { decision: _decided, ...row } = this.#row;
    this.#row = { ...row, state: 'running', allowance };
  }

  async allow(allowance: Allowance): Promise<void> {
    await this.#commit([this.#patching({ allowance })]);
    this.#row = { ...this.#row, allowance };
  }

  /** Keeps the time of the try; called by a worker that leaves. */
  async keepActiveTime(): Promise<void> {
    const operations = this.activeTime;
    if (operations.length > 0) await this.#commit(operations);
  }

  /** Ends the try, and with it the dispatch, unless another one is due; not if the thread has moved on meanwhile. */
  async conclude({ unless, ...conclusion }: Conclusion): Promise<void> {
    const { change, concluded } = this.concluding(conclusion);
    const isConcluded = await this.#parts.changes.commit(this.#row.threadId, (state) =>
      unless?.(state) ? null : { ...change(state), result: true },
    );
    if (isConcluded) concluded();
  }

  /** What ends the try, to be committed by whoever has more to do at once. */
  concluding({ outcome, before = [] }: Omit<Conclusion, 'unless'>) {
    const outcomes = [...this.#outcomes, outcome];
    const isClosing = this.#row.allowance?.isClosing === true;
    const usual = afterAttempt({
      outcomes,
      hows: beginnings({ outcomes: this.#outcomes, retries: this.#retries }),
      retries: this.#retries,
      random: this.#parts.random(),
    });
    // The closing turn is the last one; one that met a usage limit was none.
    const step: Step = isClosing && usual.do === 'retry' ? { do: 'end', outcome } : usual;
    const { id, attempts } = this.#row;
    const attempt = attempts.length;
    const patch =
      step.do === 'retry'
        ? this.#queuedAgain(outcome, step.delayMs)
        : step.do === 'defer'
          ? this.#deferred(step)
          : ({
              state: 'ended',
              outcome: withTotalCost(step.outcome, outcomes),
              endedAt: instant(this.#parts.clock),
              why: null,
            } as const);
    const said: ThreadEventBody =
      patch.state === 'queued'
        ? { type: 'attempt_ended', dispatchId: id, attempt, outcome, retryAt: patch.notBefore }
        : { type: 'dispatch_ended', dispatchId: id, outcome: patch.outcome };
    const change = (state: ThreadState): FollowingChange => {
      const { operations, next } = withoutWorkIn(state);
      const escalated = this.#escalation(next, patch, outcomes);
      return {
        operations: [
          ...this.#endingAttempt(outcome),
          this.#patching(patch),
          { do: 'releaseLease', ...this.lease },
          ...askedLanding(this.#row, patch, { state, at: instant(this.#parts.clock) }),
          ...operations,
          ...escalated.operations,
        ],
        events: [...before, said, ...escalated.events],
        state: { ...next, prompts: escalated.prompts },
        lease: this.lease,
      };
    };
    const concluded = () => {
      const { why: _why, ...changed } = patch;
      this.#row = { ...this.#row, ...changed };
    };
    return { change, concluded };
  }

  #deferred(step: Extract<Step, { do: 'defer' }>) {
    const notBefore = deferredUntil(step, this.#parts.clock.now());
    return { state: 'queued', notBefore, why: 'the usage limit was reached', waitsFor: 'quota' } as const;
  }

  /** A person decides about what failed for good; asked together with the end, and so not forgotten. */
  #escalation(
    { prompts }: ThreadState,
    patch: { readonly state: string; readonly outcome?: Outcome },
    outcomes: readonly Outcome[],
  ) {
    const { id: dispatchId, threadId, request } = this.#row;
    if (!patch.outcome || !isEscalated(patch.outcome, request.onFailure) || request.noInput)
      return { operations: [], events: [], prompts };
    const id = this.#parts.newPromptId();
    const question = escalationQuestion(this.#row, [...outcomes.slice(0, -1), patch.outcome]);
    const createdAt = instant(this.#parts.clock);
    const own = askOwn(prompts, { id, threadId, createdAt, question, sha256 });
    const deciding: Operation = { do: 'patchDispatch', dispatchId, patch: { decision: id } };
    return { operations: [...own.changes, deciding], events: own.events, prompts: own.prompts };
  }

  #queuedAgain(outcome: Outcome, delayMs: number) {
    const notBefore = instant(this.#parts.clock, delayMs);
    // Tries that ended with a question do not count; this one, which has failed, is not among the outcomes yet.
    const failures = this.#outcomes.filter(
      (each) => each.result === 'failed' && !isLimited(each) && !isLoss(each),
    );
    const next = failures.length + (isLoss(outcome) ? 1 : 2);
    const why = `attempt ${next} of ${this.#retries + 1}, after: ${outcome.reason ?? outcome.result}`;
    return { state: 'queued', notBefore, why } as const;
  }

  #endingAttempt(outcome: Outcome): Operation[] {
    const { id, attempts } = this.#row;
    if (!this.attempt) return [];
    const at = instant(this.#parts.clock);
    return [...this.activeTime, { do: 'endAttempt', dispatchId: id, attempt: attempts.length, at, outcome }];
  }

  #patching(patch: Operation<'patchDispatch'>['patch']): Operation {
    return {
      do: 'patchDispatch',
      dispatchId: this.#row.id,
      patch,
      if: { state: ['running', 'waiting'] },
    };
  }

  async #commit(operations: readonly Operation[], events: readonly ThreadEventBody[] = []): Promise<void> {
    await this.#parts.changes.commit(this.#row.threadId, (state) => ({
      operations,
      events,
      state,
      lease: this.lease,
      result: undefined,
    }));
  }

  get #outcomes(): Outcome[] {
    return this.#row.attempts.flatMap(({ outcome }) => outcome ?? []);
  }

  get #retries(): number {
    return this.#row.request.retries ?? this.#parts.retries;
  }
}

/** What begins the next try of a piece of work. */
export function attemptBeginning({ id, attempts }: Pick<StoredDispatch, 'id' | 'attempts'>, at: string) {
  const operation: Operation = { do: 'startAttempt', dispatchId: id, at };
  const event: ThreadEventBody = { type: 'dispatch_started', dispatchId: id, attempt: attempts.length + 1 };
  return { operation, event, attempt: { runIds: [], startedAt: at, activeMs: 0 } };
}

/** The work of a thread is over: whatever is said to its agent from now on is other work. */
export function withoutWorkIn(state: ThreadState): {
  readonly operations: readonly Operation[];
  readonly next: ThreadState;
} {
  const told = withoutUntold(state);
  if (!state.run && state.end)
    return { ...told, next: { ...told.next, end: { ...state.end, isWorkOver: true } } };
  if (!state.run || state.run.facts.work === null) return told;
  const facts = withoutWork(state.run.facts);
  return {
    operations: [...told.operations, { do: 'patchRun', runId: state.run.run.id, patch: { facts } }],
    next: withFacts(told.next, facts),
  };
}

/** Nobody of the work is left who could hear that nobody answered. */
export function withoutUntold(state: ThreadState): {
  readonly operations: readonly Operation[];
  readonly next: ThreadState;
} {
  const untold = state.prompts.filter(({ isUntold }) => isUntold);
  return {
    operations: untold.map(({ id }) => ({ do: 'markTold', promptId: id })),
    next: { ...state, prompts: state.prompts.filter(({ isUntold }) => !isUntold) },
  };
}

function withTotalCost(outcome: Outcome, all: readonly Outcome[]): Outcome {
  return { ...outcome, ...given({ costUsd: costOfTries(all) }) };
}
