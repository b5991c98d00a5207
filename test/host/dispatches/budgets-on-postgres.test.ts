// @module-tag full
// The budgets of a host whose store is a real PostgreSQL: what was used is counted there, and so is what a person has added.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dispatch } from '../../../src/protocol/dispatch.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const spends = '[[usage input=9000 output=5]][[text Done.]]';
const oneTurn = 9005;

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(async () => await server?.[Symbol.asyncDispose]());

async function openOnPostgres(settings: Parameters<typeof openHostStage>[0] = {}): Promise<HostStage> {
  return await openHostStage({ ...settings, store: server.url(await server.createDatabase()) });
}

async function held(at: HostStage, work: Dispatch) {
  const prompt = await at.asked(work.threadId);
  const dispatch = await at.dispatch(work, ({ state }) => state === 'waiting');
  return { prompt, dispatch };
}

test('work is held at its budget, over a restart of the worker, until it was raised', async () => {
  const at = await openOnPostgres();
  const work = await at.work(spends, { budget: { tokens: 5000 }, verify: 'false', retries: 1 });
  const { prompt, dispatch } = await held(at, work);
  expect(dispatch).toMatchObject({ why: 'The budget for this work is used up' });
  expect(dispatch.attempts).toHaveLength(1);
  await at.leave();
  await at.open();
  expect((await held(at, work)).prompt.id).toBe(prompt.id);
  const { usage } = await at.host.threads.get(work.threadId);
  expect(usage.inputTokens + usage.outputTokens).toBe(oneTurn);
  await at.host.prompts.answer(prompt.id, { text: '1m tokens' }, owner);
  expect((await at.ended(work)).attempts).toHaveLength(2);
});

test('a schedule and a day have one budget for all work, and a schedule keeps what is added to it', async () => {
  const at = await openOnPostgres({ dailyBudget: { tokens: 25_000 } });
  const { id } = await at.host.schedules.create(
    {
      when: 'every day 3:00',
      unanswered: 'wait',
      budget: { tokens: 5000 },
      work: { text: spends, runtime: 'claude', workspace: { path: at.folder() } },
    },
    owner,
  );
  expect((await at.ended(await at.host.schedules.runNow(id, owner))).outcome?.result).toBe('succeeded');
  const second = await at.host.schedules.runNow(id, owner);
  const { prompt } = await held(at, second);
  expect(prompt.questions[0]?.question).toContain('The budget for this schedule is used up');
  await at.leave();
  await at.open();
  await at.host.prompts.answer(prompt.id, { text: '10000 tokens' }, owner);
  expect((await at.ended(second)).outcome?.result).toBe('succeeded');
  expect(await at.host.schedules.get(id)).toMatchObject({
    budget: { tokens: 15_000 },
    spent: { tokens: 2 * oneTurn },
  });
  expect((await at.done(spends)).outcome?.result).toBe('succeeded');
  const tooMuch = await at.done(spends, { noInput: true });
  expect(tooMuch.outcome).toMatchObject({ result: 'blocked', reason: 'budget' });
  expect(tooMuch.attempts).toEqual([]);
});
