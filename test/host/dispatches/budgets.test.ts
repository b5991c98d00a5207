// Budgets with the real Claude Code, which counts what the scripted model says it used.
import { expect, test } from 'vitest';
import type { Dispatch } from '../../../src/protocol/dispatch.js';
import type { Prompt } from '../../../src/protocol/prompt.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

// Each try is a turn that uses more than the budget, and is tried again because its check fails.
const spends = '[[usage input=9000 output=5]][[text Done.]]';
const oneTurn = 9005;
const spending = { budget: { tokens: 5000 }, verify: 'false', retries: 1 } as const;

/** The work once it is held at a budget, and what is asked. */
async function held(at: HostStage, work: Dispatch, besides: readonly Prompt[] = []) {
  const prompt = await at.asked(work.threadId, besides);
  const dispatch = await at.dispatch(work, ({ state }) => state === 'waiting');
  return { prompt, dispatch };
}

const say = async (at: HostStage, { id }: Pick<Prompt, 'id'>, text: string) =>
  await at.host.prompts.answer(id, { text }, owner);

async function tokensOf(at: HostStage, { threadId }: Dispatch): Promise<number> {
  const { usage } = await at.host.threads.get(threadId);
  return usage.inputTokens + usage.outputTokens;
}

test('work that has used its budget up is held before the next turn, over a restart, until enough was added', async () => {
  const at = await openHostStage();
  const work = await at.work(spends, spending);
  const first = await held(at, work);
  expect(first.prompt.questions[0]).toMatchObject({
    question: 'The budget for this work is used up. How does it go on?',
    byWorker: true,
    options: [{ label: 'Raise by 5000 tokens' }, { label: 'Finish up' }, { label: 'Stop' }],
  });
  expect(first.dispatch).toMatchObject({
    why: 'The budget for this work is used up',
    budget: { tokens: 5000 },
  });
  expect(first.dispatch.attempts).toHaveLength(1);
  expect(await tokensOf(at, work)).toBe(oneTurn);
  await at.leave();
  await at.open();
  expect((await held(at, work)).prompt.id).toBe(first.prompt.id);

  await say(at, first.prompt, '1 token');
  // That is less than what was used beyond it, and so nothing has begun.
  const second = await held(at, work, [first.prompt]);
  await say(at, second.prompt, 'whatever you think');
  const third = await held(at, work, [first.prompt, second.prompt]);
  expect(third.prompt.questions[0]?.context).toContain('"whatever you think" is none of the answers.');
  expect(third.dispatch.attempts).toHaveLength(1);
  expect(await tokensOf(at, work)).toBe(oneTurn);
  await say(at, third.prompt, '1m tokens');
  const raised = await at.ended(work);
  expect(raised.outcome).toMatchObject({ result: 'failed', reason: 'verification_failed' });
  expect(raised.attempts).toHaveLength(2);
  // What is shown is what it may spend, with what was added.
  expect(raised.budget).toEqual({ tokens: 1_005_001 });
});

test('stopping ends the work as blocked; finishing up is one closing turn in the same session, and the last', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage();
  const [left, finished] = [await at.work(spends, spending), await at.work(spends, spending)];
  await say(at, (await held(at, left)).prompt, 'Stop');
  const stopped = await at.ended(left);
  expect(stopped.outcome).toMatchObject({ result: 'blocked', exitCode: 2, reason: 'budget' });
  expect(stopped.attempts).toHaveLength(1);

  await say(at, (await held(at, finished)).prompt, 'Finish up');
  const ended = await at.ended(finished);
  expect(ended.attempts).toHaveLength(2);
  const [, closing] = await at.events(finished.threadId, 'user_message');
  expect(closing?.['text']).toContain('this is the last turn');
});

test('nobody is asked about work without input, and work of a day that is used up does not begin', async () => {
  const at = await openHostStage({ dailyBudget: { tokens: 5000 } });
  const first = await at.done(spends);
  expect(first.outcome?.result).toBe('succeeded');
  const refused = await at.done(spends, { noInput: true });
  expect(refused.outcome).toMatchObject({ result: 'blocked', reason: 'budget' });
  expect(refused.attempts).toEqual([]);
  const work = await at.work(spends);
  const { prompt, dispatch } = await held(at, work);
  expect(prompt.questions[0]).toMatchObject({
    question: 'The budget for today is used up. How does it go on?',
    options: [{ label: 'Raise by 5000 tokens' }, { label: 'Stop' }],
  });
  expect(dispatch.attempts).toEqual([]);
  expect((await at.host.dispatches.cancel(work.id, owner)).outcome?.result).toBe('cancelled');
  await at.prompt(prompt, ({ state }) => state !== 'pending');
});

test('a thread has one budget for all of its work, and keeps what is added to it', async () => {
  const at = await openHostStage();
  const first = await at.done(spends, { threadBudget: { tokens: 5000 } });
  const second = await at.work('[[text Again.]]', { thread: first.threadId });
  const { prompt } = await held(at, second);
  expect(prompt.questions[0]?.question).toContain('The budget for this thread is used up');
  await say(at, prompt, '1m tokens');
  expect((await at.ended(second)).outcome?.result).toBe('succeeded');
  expect((await at.host.threads.get(first.threadId)).budget).toEqual({ tokens: 1_005_000 });
  expect((await at.done('[[text And again.]]', { thread: first.threadId })).outcome?.result).toBe(
    'succeeded',
  );
});

test('a schedule has one budget for all of its times, and keeps what is added to it', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage();
  const { id } = await at.host.schedules.create(
    {
      when: 'every day 3:00',
      unanswered: 'wait',
      budget: { tokens: 5000 },
      work: { text: spends, runtime: 'claude', workspace: { path: at.folder() } },
    },
    owner,
  );
  const first = await at.ended(await at.host.schedules.runNow(id, owner));
  expect(first.outcome?.result).toBe('succeeded');
  expect((await at.host.schedules.get(id)).spent?.tokens).toBe(oneTurn);
  const second = await at.host.schedules.runNow(id, owner);
  const { prompt, dispatch } = await held(at, second);
  expect(prompt.questions[0]?.question).toContain('The budget for this schedule is used up');
  expect(dispatch.attempts).toEqual([]);
  await say(at, prompt, '10000 tokens');
  expect((await at.ended(second)).outcome?.result).toBe('succeeded');
  expect(await at.host.schedules.get(id)).toMatchObject({
    budget: { tokens: 15_000 },
    spent: { tokens: 2 * oneTurn },
  });
});
