import type { Allowance, Budget, BudgetLevel, Spent } from '../../protocol/budget.js';
import { cutText } from '../../protocol/cut-text.js';
import { given } from '../../protocol/given.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { Question } from '../../protocol/question.js';
import type { Usage } from '../../protocol/thread.js';
import { money } from '../words/money.js';
import { plainLine } from '../words/plain-text.js';

const finishUp = 'Finish up';
const stopWork = 'Stop';
const oneMoreTurn = 'One more turn';

/** A budget that is used up, or of which nobody can say whether it is. */
export interface Breach {
  readonly level: BudgetLevel;
  /** As it is now; missing where the runtime has one of its own. */
  readonly budget?: Budget;
  readonly spent: Spent;
  /** Nobody knows what it costs. */
  readonly isDark: boolean;
}

/** What a person decided about it. */
export type BudgetDecision =
  | { readonly do: 'raise'; readonly by: Budget }
  | { readonly do: 'one_more_turn' }
  | { readonly do: 'finish_up' }
  | { readonly do: 'stop' }
  /** Words that say none of these spend nothing and end nothing. */
  | { readonly do: 'ask_again'; readonly said: string };

const levelWords = {
  work: 'The budget for this work',
  thread: 'The budget for this thread',
  schedule: 'The budget for this schedule',
  day: 'The budget for today',
  runtime: "The agent's own budget",
} as const satisfies Record<BudgetLevel, string>;

/** Why work is held, as a sentence without its end. */
export function breachWords({ level, isDark }: Breach): string {
  return isDark ? 'What this costs is unknown' : `${levelWords[level]} is used up`;
}

export function spentOf({ inputTokens, outputTokens, costUsd }: Usage): Spent {
  return { usd: costUsd, tokens: inputTokens + outputTokens };
}

/** What was used since then. */
export function spentSince(now: Spent, from: Spent | undefined): Spent {
  const usd = now.usd === null ? null : Math.max(0, now.usd - (from?.usd ?? 0));
  return { usd, tokens: Math.max(0, now.tokens - (from?.tokens ?? 0)) };
}

/** The first budget that is used up before another turn begins; every level is looked at in the same way. */
export function breachIn(
  levels: readonly {
    readonly level: BudgetLevel;
    readonly budget: Budget | undefined;
    readonly spent: Spent;
  }[],
  { isLetGoOn }: { readonly isLetGoOn: boolean },
): Breach | null {
  for (const { level, budget, spent } of levels) {
    if (budget === undefined) continue;
    const isDark = isUnknown(budget, spent);
    // Somebody has let work go on for a turn whose cost nobody knows.
    if (isDark && isLetGoOn) continue;
    if (isDark || isUsedUp(budget, spent)) return { level, budget, spent, isDark };
  }
  return null;
}

/** A budget with what a person has added to it; what it does not limit stays without a limit. */
export function withRaise({ usd, tokens }: Budget, raise: Budget | undefined): Budget {
  return given({
    usd: usd === undefined ? undefined : usd + (raise?.usd ?? 0),
    tokens: tokens === undefined ? undefined : tokens + (raise?.tokens ?? 0),
  });
}

function together(a: Budget, b: Budget): Budget {
  return { ...withRaise(a, b), ...withRaise(b, a) };
}

function isUsedUp({ usd, tokens }: Budget, spent: Spent): boolean {
  if (tokens !== undefined && spent.tokens >= tokens) return true;
  return usd !== undefined && (spent.usd ?? 0) >= usd;
}

/** Work whose cost nobody knows does not go on unasked under a budget in dollars alone. */
function isUnknown({ usd, tokens }: Budget, spent: Spent): boolean {
  return usd !== undefined && tokens === undefined && spent.usd === null && spent.tokens > 0;
}

/** How work stands whose budget is asked about. */
export interface HeldWork {
  /** The raise that is offered. */
  readonly offer: Budget | undefined;
  /** There is something to finish. */
  readonly hasBegun: boolean;
  /** What was answered before, where that said nothing of it. */
  readonly unclear?: string | undefined;
}

/** The raise that is offered: as much again as the budget was; where that would only be asked about once more, what is owed as well. */
export function offeredRaise(again: Budget, { budget, spent }: Pick<Breach, 'budget' | 'spent'>): Budget {
  const usd = enough(again.usd, budget?.usd, spent.usd ?? 0, 0.01);
  return given({
    usd: usd === undefined ? undefined : Number(usd.toFixed(6)),
    tokens: enough(again.tokens, budget?.tokens, spent.tokens),
  });
}

function enough(more: number | undefined, allowed = 0, used = 0, unit = 1): number | undefined {
  return more === undefined || allowed + more > used
    ? more
    : Math.ceil((used - allowed + more) / unit) * unit;
}

/** The question to a person; a raise by as much again is offered, and any other amount can be typed. */
export function budgetQuestion(breach: Breach, { offer, hasBegun, unclear }: HeldWork): Question {
  const { budget, spent } = breach;
  const sentences = [
    ...(unclear === undefined ? [] : [`"${cutText(plainLine(unclear), 100)}" is none of the answers.`]),
    `Used: ${amountWords(spent)}.`,
    ...(budget ? [`Allowed: ${amountWords(budget)}.`] : []),
    'No turn runs meanwhile.',
    ...(offer
      ? ['To raise it by another amount, answer with that amount, such as 2.50 or 100k tokens.']
      : []),
  ];
  return {
    question: `${breachWords(breach)}. How does it go on?`,
    header: 'Budget',
    multiSelect: false,
    context: sentences.join(' '),
    options: [
      offer
        ? { label: raiseLabel(offer) }
        : { label: oneMoreTurn, description: 'Then you are asked again, if the work goes on.' },
      ...(hasBegun ? [{ label: finishUp, description: 'One closing turn, and then the end.' }] : []),
      { label: stopWork, description: 'It ends as blocked, as it is.' },
    ],
  };
}

function raiseLabel(offer: Budget): string {
  return `Raise by ${amountWords(offer)}`;
}

/** What an answer says. */
export function budgetDecision(said: string, offer: Budget | undefined): BudgetDecision {
  const word = said.trim().toLowerCase();
  if (word === finishUp.toLowerCase()) return { do: 'finish_up' };
  if (word === stopWork.toLowerCase()) return { do: 'stop' };
  if (!offer) return word === oneMoreTurn.toLowerCase() ? { do: 'one_more_turn' } : { do: 'ask_again', said };
  if (word === raiseLabel(offer).toLowerCase()) return { do: 'raise', by: offer };
  const by = readBudget(word.replace(/^raise (?:it )?by /, ''));
  // Tokens raise no budget in dollars.
  const fits =
    (by?.usd !== undefined && offer.usd !== undefined) ||
    (by?.tokens !== undefined && offer.tokens !== undefined);
  return by && fits ? { do: 'raise', by } : { do: 'ask_again', said };
}

/** What the work may spend once a person has decided. */
export function decidedAllowance(
  { asked, ...allowance }: Allowance,
  decided: BudgetDecision,
  tries: number,
): Allowance {
  if (decided.do === 'ask_again') return allowance;
  const level = asked?.level;
  const raised =
    decided.do === 'raise' && (level === 'work' || level === 'day')
      ? { ...allowance.raised, [level]: together(decided.by, allowance.raised[level] ?? {}) }
      : allowance.raised;
  return {
    ...allowance,
    raised,
    decidedAfter: tries,
    ...(decided.do === 'finish_up' && { isClosing: true }),
  };
}

/** What is said of an amount that is none, or nothing. */
export function noBudget(text: string): string {
  return `"${cutText(plainLine(text), 100)}" is no budget. It is an amount greater than 0: dollars, such as 5 or 2.50, or tokens, such as "200k tokens".`;
}

const factor: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 };

/** An amount as people type it: `5`, `$2.50`, `200k tokens`; null where it is none, or nothing. */
export function readBudget(text: string): Budget | null {
  const amount = text.trim().replace(/\s+/g, ' ');
  const [, dollars] = /^\$?(\d{1,9}(?:\.\d{1,6})?)(?: ?usd)?$/i.exec(amount) ?? [];
  if (dollars !== undefined) return Number(dollars) > 0 ? { usd: Number(dollars) } : null;
  const [, count, unit = ''] = /^(\d{1,12}) ?([km]?) ?tokens?$/i.exec(amount) ?? [];
  const tokens = Number(count) * (factor[unit.toLowerCase()] ?? 1);
  return tokens > 0 && Number.isSafeInteger(tokens) ? { tokens } : null;
}

/** An amount in words; what is unknown is a dash. */
export function amountWords({
  usd,
  tokens,
}: {
  readonly usd?: number | null | undefined;
  readonly tokens?: number | undefined;
}): string {
  return [
    ...(usd === undefined ? [] : [money(usd)]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
  ].join(', ');
}

/** How work ends that may not spend more. */
export function budgetOutcome(summary: string): Outcome {
  return {
    result: 'blocked',
    exitCode: 2,
    reason: 'budget',
    retriable: false,
    execution: { kind: 'completed' },
    claim: 'none',
    verification: 'not_run',
    summary,
  };
}

/** Why work of a runtime cannot have such a budget, as a sentence; nothing would keep to it. */
export function budgetRefusal(runtime: string, { usd, tokens }: Budget): string | null {
  if (runtime === 'exec')
    return 'The runtime exec does not tell what it uses, so nothing would keep to a budget. Use --timeout.';
  const tellsCost = runtime === 'claude' || runtime === 'opencode';
  if (usd !== undefined && tokens === undefined && !tellsCost)
    return `The runtime ${runtime} does not tell what its work costs. Give the budget in tokens, such as "200k tokens".`;
  return null;
}
