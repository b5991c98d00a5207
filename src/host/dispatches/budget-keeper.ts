import {
  type Breach,
  type BudgetDecision,
  breachIn,
  breachWords,
  budgetDecision,
  budgetQuestion,
  decidedAllowance,
  offeredRaise,
  spentOf,
  spentSince,
  withRaise,
} from '../../domain/dispatch/budget.js';
import { isOpen, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import type { Allowance, Budget, Spent } from '../../protocol/budget.js';
import { given } from '../../protocol/given.js';
import type { Operation } from '../../store/operation.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { LeasedDispatch } from './leased-dispatch.js';

const unraised: Allowance = { raised: {} };
const noUse: Spent = { usd: 0, tokens: 0 };

export interface BudgetKeeperParts {
  readonly store: Store;
  readonly clock: Clock;
  /** What all work of a day may spend. */
  readonly dailyBudget?: Budget | undefined;
}

/** A dispatch as far as its budgets are concerned. */
type BudgetedDispatch = Pick<LeasedDispatch, 'row' | 'hold' | 'goOn' | 'allow'>;

/** Whether another turn may begin; a sentence where the work ends instead. */
export type BudgetVerdict =
  | { readonly may: 'begin' }
  | { readonly may: 'wait'; readonly isNew: boolean }
  | { readonly may: 'end'; readonly why: string };

/**
 * Looks at every budget before a try begins, and asks a person where one is used up. A turn that runs is never cut off, so what is
 * spent beyond a budget is one turn at most.
 */
export class BudgetKeeper {
  readonly #parts: BudgetKeeperParts;

  constructor(parts: BudgetKeeperParts) {
    this.#parts = parts;
  }

  async check(leased: BudgetedDispatch): Promise<BudgetVerdict> {
    const decided = await this.#decide(leased);
    if (decided === 'open') return { may: 'wait', isNew: false };
    if (decided?.do === 'stop') return { may: 'end', why: decided.why };
    const { row } = leased;
    if (row.allowance?.isClosing) return { may: 'begin' };
    const breach = await this.#breach(leased);
    if (!breach) return { may: 'begin' };
    const why = breachWords(breach);
    if (row.request.noInput) return { may: 'end', why: `${why}, and nobody is there to raise it.` };
    const offer = breach.isDark ? undefined : offerOf(breach, row.request.budget);
    const unclear = decided?.do === 'ask_again' ? decided.said : undefined;
    const question = budgetQuestion(breach, { offer, hasBegun: row.attempts.length > 0, unclear });
    const asked = { level: breach.level, ...given({ offer }) };
    await leased.hold(question, { why, allowance: { ...unraised, ...row.allowance, asked } });
    return { may: 'wait', isNew: true };
  }

  /** Does what a person decided, where one was asked. */
  async #decide(
    leased: BudgetedDispatch,
  ): Promise<
    'open' | Exclude<BudgetDecision, { do: 'stop' }> | { readonly do: 'stop'; readonly why: string } | null
  > {
    const { decision, allowance = unraised, attempts } = leased.row;
    if (decision === undefined) return null;
    const prompt = await this.#parts.store.query('prompt', { id: decision });
    if (prompt && isOpen(prompt)) return 'open';
    const said = answerIn(prompt);
    const decided: BudgetDecision =
      said === undefined ? { do: 'stop' } : budgetDecision(said, allowance.asked?.offer);
    await leased.goOn({
      allowance: decidedAllowance(allowance, decided, attempts.length),
      prompt,
      operations: decided.do === 'raise' ? await this.#raising(leased, decided.by) : [],
    });
    if (decided.do !== 'stop') return decided;
    const why = said === undefined ? 'Nobody raised the budget.' : 'A person stopped it at its budget.';
    return { do: 'stop', why };
  }

  /** A thread and a schedule keep what was added to their budgets. */
  async #raising(leased: BudgetedDispatch, by: Budget): Promise<Operation[]> {
    const { id, threadId, allowance } = leased.row;
    const { store } = this.#parts;
    if (allowance?.asked?.level === 'thread') {
      const thread = await store.query('thread', { id: threadId });
      return thread?.budget
        ? [{ do: 'patchThread', threadId, patch: { budget: withRaise(thread.budget, by) } }]
        : [];
    }
    if (allowance?.asked?.level !== 'schedule') return [];
    const schedule = await store.query('schedule', { dispatchId: id });
    return schedule ? [{ do: 'raiseScheduleBudget', id: schedule.id, by }] : [];
  }

  async #breach(leased: BudgetedDispatch): Promise<Breach | null> {
    const { id, request, threadId, attempts } = leased.row;
    const { store, dailyBudget } = this.#parts;
    const isLimited = attempts.at(-1)?.outcome?.reason === 'max_budget';
    // Together: every turn waits for this, also where nobody has set a budget.
    const [thread, schedule] = await Promise.all([
      store.query('thread', { id: threadId }),
      store.query('schedule', { dispatchId: id }),
    ]);
    if (!thread) return null;
    const budgets = [request.budget, thread.budget, schedule?.budget, dailyBudget];
    if (!isLimited && budgets.every((budget) => budget === undefined)) return null;
    const ofThread = spentOf(thread.usage);
    if (request.budget && !leased.row.allowance?.from && attempts.length === 0)
      await leased.allow({ ...unraised, ...leased.row.allowance, from: ofThread });
    const { allowance = unraised } = leased.row;
    const isLetGoOn = allowance.decidedAfter === attempts.length;
    const ofWork = spentSince(ofThread, allowance.from);
    // The runtime's own limit is asked about like ours.
    if (isLimited && !isLetGoOn) return { level: 'runtime', spent: ofWork, isDark: false };
    const { raised } = allowance;
    return breachIn(
      [
        { level: 'work', budget: request.budget && withRaise(request.budget, raised.work), spent: ofWork },
        { level: 'thread', budget: thread.budget, spent: ofThread },
        { level: 'schedule', budget: schedule?.budget, spent: schedule?.spent ?? noUse },
        {
          level: 'day',
          budget: dailyBudget && withRaise(dailyBudget, raised.day),
          spent: dailyBudget ? await this.#today() : noUse,
        },
      ],
      { isLetGoOn },
    );
  }

  async #today(): Promise<Spent> {
    const day = instant(this.#parts.clock).slice(0, 'yyyy-mm-dd'.length);
    const totals = await this.#parts.store.query('usage', { by: 'day' });
    const found = totals.find(({ key }) => key === day);
    return found ? spentOf(found.usage) : noUse;
  }
}

function offerOf(breach: Breach, ofWork: Budget | undefined): Budget | undefined {
  const again = breach.level === 'work' ? ofWork : breach.budget;
  return again && offeredRaise(again, breach);
}

function answerIn(prompt: ThreadPrompt | null): string | undefined {
  return prompt?.acceptedAt === undefined ? undefined : prompt.answers?.[0]?.answer[0];
}
