import { describe, expect, test } from 'vitest';
import {
  amountWords,
  breachIn,
  budgetDecision,
  budgetQuestion,
  budgetRefusal,
  decidedAllowance,
  offeredRaise,
  readBudget,
  spentSince,
  withRaise,
} from '../../../src/domain/dispatch/budget.js';
import type { Budget, Spent } from '../../../src/protocol/budget.js';

const workOf = (budget: Budget | undefined, spent: Spent, isLetGoOn = false) =>
  breachIn([{ level: 'work', budget, spent }], { isLetGoOn })?.level ?? null;

describe('the raise that is offered', () => {
  test.each<[string, Budget, Budget, Spent, Budget]>([
    ['is as much again', { usd: 5 }, { usd: 5 }, { usd: 5.2, tokens: 1 }, { usd: 5 }],
    ['is as much again after another raise', { usd: 5 }, { usd: 15 }, { usd: 15, tokens: 1 }, { usd: 5 }],
    ['pays what is owed', { usd: 0.01 }, { usd: 0.01 }, { usd: 7.9201, tokens: 1 }, { usd: 7.93 }],
    ['is more than nothing', { usd: 5 }, { usd: 5 }, { usd: 10, tokens: 1 }, { usd: 10 }],
    ['in tokens', { tokens: 100 }, { tokens: 100 }, { usd: null, tokens: 950 }, { tokens: 950 }],
    [
      'of both pays what is owed of either',
      { usd: 1, tokens: 100 },
      { usd: 1, tokens: 100 },
      { usd: 1.5, tokens: 950 },
      { usd: 1, tokens: 950 },
    ],
  ])('%s', (_, again, budget, spent, expected) => {
    const offer = offeredRaise(again, { budget, spent });
    expect(offer).toEqual(expected);
    expect(workOf(withRaise(budget, offer), spent)).toBeNull();
  });
});

describe('a budget', () => {
  test.each<[string, Budget | undefined, Spent, 'work' | null]>([
    ['is not there', undefined, { usd: 99, tokens: 99 }, null],
    ['has something left', { usd: 5 }, { usd: 4.99, tokens: 9e9 }, null],
    ['is used up to the cent', { usd: 5 }, { usd: 5, tokens: 0 }, 'work'],
    ['in tokens is used up', { tokens: 100 }, { usd: null, tokens: 100 }, 'work'],
    ['of both is used up by one', { usd: 5, tokens: 100 }, { usd: 1, tokens: 101 }, 'work'],
    [
      'of both counts tokens where dollars are unknown',
      { usd: 5, tokens: 100 },
      { usd: null, tokens: 9 },
      null,
    ],
    ['in dollars alone is asked about where they are unknown', { usd: 5 }, { usd: null, tokens: 9 }, 'work'],
    ['in dollars is untouched before the first turn', { usd: 5 }, { usd: null, tokens: 0 }, null],
  ])('that %s', (_, budget, spent, expected) => {
    expect(workOf(budget, spent)).toBe(expected);
  });

  test('that was raised holds until the raise is used up too, in what it limits', () => {
    expect(withRaise({ usd: 5 }, { usd: 2, tokens: 9 })).toEqual({ usd: 7 });
    expect(withRaise({ usd: 5, tokens: 1 }, { tokens: 9 })).toEqual({ usd: 5, tokens: 10 });
    expect(workOf(withRaise({ usd: 5 }, { usd: 2 }), { usd: 6.9, tokens: 1 })).toBeNull();
    expect(workOf(withRaise({ usd: 5 }, { usd: 2 }), { usd: 7, tokens: 1 })).toBe('work');
  });

  test('whose use is unknown lets one turn pass that somebody let pass', () => {
    expect(workOf({ usd: 5 }, { usd: null, tokens: 1 }, true)).toBeNull();
    expect(workOf({ usd: 5 }, { usd: 5, tokens: 1 }, true)).toBe('work');
  });

  test('of several levels is told by the first that is used up', () => {
    const spent = { usd: 9, tokens: 1 };
    const levels = [
      { level: 'work', budget: { usd: 10 }, spent },
      { level: 'thread', budget: undefined, spent },
      { level: 'day', budget: { usd: 9 }, spent },
    ] as const;
    expect(breachIn(levels, { isLetGoOn: false })).toEqual({
      level: 'day',
      budget: { usd: 9 },
      spent,
      isDark: false,
    });
  });
});

test('work counts from where it began', () => {
  expect(spentSince({ usd: 3, tokens: 30 }, { usd: 1, tokens: 10 })).toEqual({ usd: 2, tokens: 20 });
  expect(spentSince({ usd: 3, tokens: 30 }, { usd: null, tokens: 0 })).toEqual({ usd: 3, tokens: 30 });
  expect(spentSince({ usd: null, tokens: 30 }, undefined)).toEqual({ usd: null, tokens: 30 });
});

test.each([
  ['5', { usd: 5 }],
  ['$2.50', { usd: 2.5 }],
  ['200k tokens', { tokens: 200_000 }],
  ['1M tokens', { tokens: 1_000_000 }],
  ['7 token', { tokens: 7 }],
  ['0', null],
  ['$0.00', null],
  ['0 tokens', null],
  ['-5', null],
  ['plenty', null],
  ['9'.repeat(40), null],
])('%s is the budget %j', (text, expected) => {
  expect(readBudget(text)).toEqual(expected);
});

test.each([
  ['Raise by $5.00', { do: 'raise', by: { usd: 5 } }],
  ['raise by 1', { do: 'raise', by: { usd: 1 } }],
  ['2.50', { do: 'raise', by: { usd: 2.5 } }],
  ['Finish up', { do: 'finish_up' }],
  ['stop', { do: 'stop' }],
  ['go wild', { do: 'ask_again', said: 'go wild' }],
  ['0', { do: 'ask_again', said: '0' }],
  ['100k tokens', { do: 'ask_again', said: '100k tokens' }],
  ['One more turn', { do: 'ask_again', said: 'One more turn' }],
])('%s, said to a budget in dollars, decides %j', (said, decided) => {
  expect(budgetDecision(said, { usd: 5 })).toEqual(decided);
});

test.each([
  ['One more turn', { do: 'one_more_turn' }],
  ['5', { do: 'ask_again', said: '5' }],
])('%s, where nothing can be raised, decides %j', (said, decided) => {
  expect(budgetDecision(said, undefined)).toEqual(decided);
});

test('what was decided is kept with the work, except for words that say nothing', () => {
  const asked = {
    raised: { work: { usd: 1 } },
    asked: { level: 'work', offer: { usd: 5, tokens: 9 } },
  } as const;
  const by = { tokens: 3 };
  expect(decidedAllowance(asked, { do: 'raise', by }, 2)).toEqual({
    raised: { work: { usd: 1, tokens: 3 } },
    decidedAfter: 2,
  });
  expect(decidedAllowance(asked, { do: 'finish_up' }, 2)).toEqual({
    raised: asked.raised,
    decidedAfter: 2,
    isClosing: true,
  });
  expect(decidedAllowance(asked, { do: 'ask_again', said: 'x' }, 2)).toEqual({ raised: asked.raised });
  const ofThread = { raised: {}, asked: { level: 'thread', offer: { usd: 5 } } } as const;
  expect(decidedAllowance(ofThread, { do: 'raise', by: { usd: 5 } }, 0)).toEqual({
    raised: {},
    decidedAfter: 0,
  });
});

describe('the question', () => {
  const spent = { usd: 5.2, tokens: 12 };

  test('says what is used and allowed', () => {
    const breach = { level: 'day', budget: { usd: 5 }, spent, isDark: false } as const;
    const asked = budgetQuestion(breach, { offer: { usd: 5 }, hasBegun: true });
    expect(asked.question).toBe('The budget for today is used up. How does it go on?');
    expect(asked.context).toContain('Used: $5.20, 12 tokens. Allowed: $5.00.');
    expect(asked.options.map(({ label }) => label)).toEqual(['Raise by $5.00', 'Finish up', 'Stop']);
  });

  test('shows an unknown cost as a dash, and offers a turn', () => {
    const breach = {
      level: 'work',
      budget: { usd: 5 },
      spent: { usd: null, tokens: 12 },
      isDark: true,
    } as const;
    const asked = budgetQuestion(breach, { offer: undefined, hasBegun: true });
    expect(asked.question).toBe('What this costs is unknown. How does it go on?');
    expect(asked.context).toContain('Used: –, 12 tokens.');
    expect(asked.options.map(({ label }) => label)).toEqual(['One more turn', 'Finish up', 'Stop']);
  });

  test('offers no end to what has not begun, and says which answer was none', () => {
    const breach = { level: 'runtime', spent, isDark: false } as const;
    const asked = budgetQuestion(breach, { offer: undefined, hasBegun: false, unclear: 'what\u202E?' });
    expect(asked.question).toBe("The agent's own budget is used up. How does it go on?");
    expect(asked.context).toMatch(/^"what.*\?" is none of the answers\. Used/);
    expect(asked.context).not.toContain('\u202E');
    expect(asked.options.map(({ label }) => label)).toEqual(['One more turn', 'Stop']);
  });
});

test.each([
  ['claude', { usd: 1 }, true],
  ['opencode', { usd: 1 }, true],
  ['codex', { usd: 1 }, false],
  ['codex', { tokens: 1 }, true],
  ['codex', { usd: 1, tokens: 1 }, true],
  ['exec', { tokens: 1 }, false],
])('%s with %j', (runtime, budget, isKept) => {
  expect(budgetRefusal(runtime, budget) === null).toBe(isKept);
});

test('amounts in words', () => {
  expect([amountWords({ usd: 0.001 }), amountWords({}), amountWords({ tokens: 3 })]).toEqual([
    '<$0.01',
    '',
    '3 tokens',
  ]);
});
