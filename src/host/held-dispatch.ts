import { afterAttempt, beginnings } from '../domain/retry-policy.js';
import { withoutWork } from '../domain/run-facts.js';
import { Failure } from '../protocol/failure.js';
import type { RunId } from '../protocol/id.js';
import type { Outcome } from '../protocol/outcome.js';
import type { ThreadEventBody } from '../protocol/thread-event.js';
import type { Operation } from '../store/operation.js';
import type { StoredDispatch } from '../store/stored-dispatch.js';
import type { ThreadBook } from './thread-book.js';
import type { ThreadState } from './thread-state.js';

export interface HeldDispatchOutside {
  readonly book: ThreadBook;
  readonly now: () => number;
  readonly random: () => number;
  /** How many more tries work gets that does not say. */
  readonly retries: number;
}

/** How a try ended, and what is said in the thread before that. */
export interface Conclusion {
  readonly outcome: Outcome;
  readonly before?: readonly ThreadEventBody[];
  /** Whether there is something to wait for after all. */
  readonly unless?: (state: ThreadState) => boolean;
}

/** A dispatch that this worker holds the lease of. Every write is fenced by the lease and refused once it is lost. */
export class HeldDispatch {
  readonly #outside: HeldDispatchOutside;
  #row: StoredDispatch;

  constructor(row: StoredDispatch, outside: HeldDispatchOutside) {
    this.#row = row;
    this.#outside = outside;
  }

  get row(): StoredDispatch {
    return this.#row;
  }

  get lease() {
    const { id, lease } = this.#row;
    if (!lease) throw new Failure('internal', `${id} is driven without a lease.`);
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

  async beginAttempt(): Promise<void> {
    const { operation, event, begun } = this.beginning();
    await this.#commit([operation], [event]);
    begun();
  }

  /** What begins the next try, to be committed by whoever has more to do at once. */
  beginning() {
    const { id, attempts } = this.#row;
    const at = this.#at();
    const operation: Operation = { do: 'startAttempt', dispatchId: id, at };
    const event: ThreadEventBody = { type: 'dispatch_started', dispatchId: id, attempt: attempts.length + 1 };
    const begun = () => {
      this.#row = { ...this.#row, attempts: [...attempts, { runIds: [], startedAt: at }] };
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

  async patch(patch: { readonly state: 'waiting' | 'running'; readonly why: string | null }): Promise<void> {
    await this.#commit([this.#patching(patch)]);
    this.#row = { ...this.#row, state: patch.state };
  }

  /** Ends the try, and with it the dispatch, unless another one is due; not if the thread has moved on meanwhile. */
  async conclude({ outcome, before = [], unless }: Conclusion): Promise<void> {
    const outcomes = [...this.#outcomes, outcome];
    const step = afterAttempt({
      outcomes,
      hows: beginnings({ outcomes: this.#outcomes, retries: this.#retries }),
      retries: this.#retries,
      random: this.#outside.random(),
    });
    const { id, threadId, attempts } = this.#row;
    const attempt = attempts.length;
    const patch =
      step.do === 'retry'
        ? this.#queuedAgain(outcome, step.delayMs)
        : ({
            state: 'ended',
            outcome: withTotalCost(step.outcome, outcomes),
            endedAt: this.#at(),
            why: null,
          } as const);
    const said: ThreadEventBody =
      patch.state === 'queued'
        ? { type: 'attempt_ended', dispatchId: id, attempt, outcome, retryAt: patch.notBefore }
        : { type: 'dispatch_ended', dispatchId: id, outcome: patch.outcome };
    const isConcluded = await this.#outside.book.change(threadId, (state) => {
      if (unless?.(state)) return null;
      const { operations, next } = withoutWorkIn(state);
      return {
        operations: [
          ...this.#endingAttempt(outcome),
          this.#patching(patch),
          { do: 'releaseLease', ...this.lease },
          ...operations,
        ],
        says: [...before, said],
        state: next,
        lease: this.lease,
        result: true,
      };
    });
    if (!isConcluded) return;
    const { why: _why, ...changed } = patch;
    this.#row = { ...this.#row, ...changed };
  }

  #queuedAgain(outcome: Outcome, delayMs: number) {
    const notBefore = new Date(this.#outside.now() + delayMs).toISOString();
    const next = this.#row.attempts.length + 1;
    const why = `try ${next} of ${this.#retries + 1}, after: ${outcome.reason ?? outcome.result}`;
    return { state: 'queued', notBefore, why } as const;
  }

  #endingAttempt(outcome: Outcome): Operation[] {
    const { id, attempts } = this.#row;
    if (!this.attempt) return [];
    return [{ do: 'endAttempt', dispatchId: id, attempt: attempts.length, at: this.#at(), outcome }];
  }

  #patching(patch: Operation<'patchDispatch'>['patch']): Operation {
    return {
      do: 'patchDispatch',
      dispatchId: this.#row.id,
      patch,
      if: { state: ['running', 'waiting'] },
    };
  }

  async #commit(operations: readonly Operation[], says: readonly ThreadEventBody[] = []): Promise<void> {
    await this.#outside.book.change(this.#row.threadId, (state) => ({
      operations,
      says,
      state,
      lease: this.lease,
      result: undefined,
    }));
  }

  get #outcomes(): Outcome[] {
    return this.#row.attempts.flatMap(({ outcome }) => outcome ?? []);
  }

  get #retries(): number {
    return this.#row.request.retries ?? this.#outside.retries;
  }

  #at(): string {
    return new Date(this.#outside.now()).toISOString();
  }
}

/** The work of a thread is over: whatever is said to its agent from now on is other work. */
export function withoutWorkIn(state: ThreadState): {
  readonly operations: readonly Operation[];
  readonly next: ThreadState;
} {
  if (state.run?.facts.work === undefined) return { operations: [], next: state };
  const facts = withoutWork(state.run.facts);
  return {
    operations: [{ do: 'patchRun', runId: state.run.run.id, patch: { facts } }],
    next: { ...state, run: { ...state.run, facts } },
  };
}

function withTotalCost(outcome: Outcome, all: readonly Outcome[]): Outcome {
  const costs = all.flatMap(({ costUsd }) => costUsd ?? []);
  return costs.length === 0 ? outcome : { ...outcome, costUsd: costs.reduce((sum, cost) => sum + cost, 0) };
}
