// What is decided at a budget, over many turns of a dispatch in a real store; the agent's turns are only their costs.
import { expect, test } from 'vitest';
import { BudgetKeeper } from '../../../src/host/dispatches/budget-keeper.js';
import { LeasedDispatch } from '../../../src/host/dispatches/leased-dispatch.js';
import { ThreadChanges } from '../../../src/host/threads/thread-changes.js';
import type { Budget } from '../../../src/protocol/budget.js';
import type { Outcome } from '../../../src/protocol/outcome.js';
import type { Store } from '../../../src/store/store.js';
import { openedStore } from '../../contract/store/opened-store.js';
import { aDispatch, aThread, at, done, id } from '../../contract/store/records.js';
import { sqlitePlace } from '../../store/sqlite/place.js';

const opened = openedStore(sqlitePlace);
let seconds = 0;
const clock = { now: () => Date.parse(at((seconds += 1))), monotonic: () => 0 };

const tryAgain: Outcome = {
  result: 'failed',
  exitCode: 1,
  reason: 'verification_failed',
  retriable: true,
  execution: { kind: 'completed' },
  claim: 'success',
  verification: 'failed',
};
const limited: Outcome = {
  ...tryAgain,
  result: 'blocked',
  exitCode: 2,
  reason: 'max_budget',
  retriable: false,
};

/** One dispatch with its budgets, as a worker that claims it again after every try. */
async function worked(store: Store, given: { budget?: Budget; ofThread?: Budget; day?: Budget }) {
  const thread = await aThread(store, given.ofThread ? { budget: given.ofThread } : {});
  const { id: dispatchId } = await aDispatch(store, thread.id, {
    request: { text: 'x', thread: thread.id, retries: 1000, ...(given.budget && { budget: given.budget }) },
  });
  const changes = new ThreadChanges(store, clock);
  const keeper = new BudgetKeeper({ store, clock, dailyBudget: given.day });
  const claim = async () => {
    const until = new Date(clock.now() + 1e6).toISOString();
    await done(store, [{ do: 'claimDispatches', limit: 1, now: until, until }]);
    const row = await store.query('dispatch', { id: dispatchId });
    if (!row) throw new Error('The dispatch is gone.');
    const parts = { changes, clock, random: () => 0, retries: 2, newPromptId: () => id('prompt') };
    return new LeasedDispatch(row, parts);
  };
  let leased = await claim();
  return {
    check: async () => await keeper.check(leased),
    /** A turn that costs so much, and how it ends. */
    turn: async (tokens: number, outcome: Outcome) => {
      await leased.beginAttempt();
      const usage = { inputTokens: tokens, outputTokens: 0, costUsd: null };
      await done(store, [{ do: 'addUsage', threadId: thread.id, runtime: 'claude', at: at(seconds), usage }]);
      await leased.conclude({ outcome });
      leased = await claim();
    },
    answer: async (said: string) => {
      const promptId = leased.row.decision;
      if (promptId === undefined) throw new Error('Nothing is asked.');
      const prompt = await store.query('prompt', { id: promptId });
      const answers = [{ question: prompt?.questions[0]?.question ?? '', answer: [said] }];
      const accepted = { promptId, answers, actor: 'user:owner', at: at(seconds) } as const;
      await done(store, [{ do: 'acceptAnswer', ...accepted }]);
    },
    labels: async () => {
      const promptId = leased.row.decision;
      const prompt = promptId === undefined ? null : await store.query('prompt', { id: promptId });
      return prompt?.questions[0]?.options.map(({ label }) => label);
    },
  };
}

test('no budget is exceeded by more than one turn, whatever is answered and whatever turns cost', async () => {
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % most;
  };
  const answers = ['50 tokens', '1 token', 'Raise by 100 tokens', '300 tokens', 'go on', '5', 'raise by 0'];
  // What the others use counts for the day, too, so its budget comes first.
  for (const level of ['day', 'budget', 'ofThread'] as const) {
    const work = await worked(opened.store, { [level]: { tokens: 100 } });
    let [spent, allowed, last, held, turns] = [0, 100, 0, 0, 0];
    for (let step = 0; step < 60; step += 1) {
      const verdict = await work.check();
      if (verdict.may === 'begin') {
        expect(spent).toBeLessThan(allowed);
        last = 1 + random(90);
        await work.turn(last, tryAgain);
        spent += last;
        turns += 1;
      } else {
        expect(verdict).toEqual({ may: 'wait', isNew: true });
        expect(await work.check()).toEqual({ may: 'wait', isNew: false });
        expect(spent).toBeGreaterThanOrEqual(allowed);
        held += 1;
        const said = answers[random(answers.length)] ?? '';
        await work.answer(said);
        allowed += Number(/(\d+) token/.exec(said)?.[1] ?? 0);
      }
      expect(spent - last).toBeLessThanOrEqual(allowed);
    }
    expect(held).toBeGreaterThan(5);
    expect(turns).toBeGreaterThan(5);
  }
});

test("a runtime's own limit is asked about in the same way, each time anew", async () => {
  const work = await worked(opened.store, {});
  expect(await work.check()).toEqual({ may: 'begin' });
  await work.turn(5, limited);
  expect(await work.check()).toEqual({ may: 'wait', isNew: true });
  expect(await work.labels()).toEqual(['One more turn', 'Finish up', 'Stop']);
  await work.answer('One more turn');
  expect(await work.check()).toEqual({ may: 'begin' });
  await work.turn(5, limited);
  expect(await work.check()).toEqual({ may: 'wait', isNew: true });
  await work.answer('Stop');
  expect(await work.check()).toEqual({ may: 'end', why: 'A person stopped it at its budget.' });
});
