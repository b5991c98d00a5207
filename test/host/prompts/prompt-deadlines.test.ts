import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Prompt, UnansweredRules } from '../../../src/protocol/prompt.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const asks = '[[ask Which? | A | B]] [[next]] [[text I went on.]]';
const writes = '[[tool Bash {"command":"echo made > x"}]] [[next]] [[text I went on.]]';
const by = 'policy:deadline';

/** Work that leaves its question in a file, which makes it one for free text. */
function leaves(path: string): string {
  const content = JSON.stringify({ question: 'What?' });
  const input = { file_path: join(path, '.agora', 'needs_input.json'), content };
  return `[[tool Write ${JSON.stringify(input)}]] [[next]] [[text I stop here.]]`;
}

/** Has an agent ask and nobody answer. */
async function unanswered(at: HostStage, text: (path: string) => string, rules?: UnansweredRules) {
  const path = at.folder();
  const dispatch = await at.work(text(path), {
    workspace: { path },
    ...(rules ? { unanswered: rules } : {}),
  });
  const { threadId } = dispatch;
  const ended = await at.ended(dispatch);
  const { rows } = await at.host.prompts.list({ threadId });
  expect(rows.length).toBe(1);
  const [prompt] = rows;
  if (!prompt) throw new Error('unreachable');
  return { path, threadId, prompt, ended };
}

async function passed({ deadline = '' }: Prompt): Promise<void> {
  await waitUntil('the deadline has passed', () => Date.now() > Date.parse(deadline));
}

describe('a prompt that nobody answers', () => {
  test('waits for ever, unless something else was said', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const rules = { approval: { afterSeconds: 0.1, policy: 'deny' } } as const;
    const { threadId } = await at.work(asks, { unanswered: rules });
    const prompt = await at.asked(threadId);
    expect(prompt).toMatchObject({ state: 'pending', onUnanswered: 'wait' });
    expect(prompt).not.toHaveProperty('deadline');
  });

  test('takes its first option where the work says so, by the policy and by nobody else', async () => {
    const at = await openHostStage();
    const rules = { ask_user_question: { afterSeconds: 0.3, policy: 'default_option' } } as const;
    const { prompt, ended, threadId } = await unanswered(at, () => asks, rules);
    const answers = [{ question: 'Which?', answer: ['A'] }];
    expect(prompt).toMatchObject({ state: 'answered', actor: by, answers, onUnanswered: 'default_option' });
    const { createdAt, deadline = '', acceptedAt = '' } = prompt;
    expect(Date.parse(deadline) - Date.parse(createdAt)).toBe(300);
    expect(acceptedAt >= deadline).toBe(true);
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="A"')]);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'I went on.' });
    expect(await at.events(threadId, 'prompt_settled')).toMatchObject([
      { item: { content: [{ text: '✓ Answered: A' }], metadata: { prompt: { actor: by } } } },
    ]);
  });

  test('is cancelled where denial is the rule; the agent hears that nobody answered, and no word of a user', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const rules = { ask_user_question: { afterSeconds: 0.3, policy: 'deny' } } as const;
    const { prompt, ended, threadId } = await unanswered(at, () => asks, rules);
    expect(prompt).toMatchObject({ state: 'cancelled', reason: 'deadline', actor: by });
    expect(prompt).not.toHaveProperty('answers');
    expect(at.toolResults()).toEqual([expect.stringContaining('Nobody answered')]);
    expect(ended.outcome?.summary).toBe('I went on.');
    expect(await at.events(threadId, 'prompt_settled')).toMatchObject([
      { item: { content: [{ text: '✗ Cancelled: deadline' }], metadata: { prompt: { actor: by } } } },
    ]);
  });

  test('ends its work where failing is the rule', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const rules = { ask_user_question: { afterSeconds: 0.3, policy: 'fail' } } as const;
    const { prompt, ended } = await unanswered(at, () => asks, rules);
    expect(prompt).toMatchObject({ state: 'failed', reason: 'deadline', actor: by });
    expect(ended.outcome).toMatchObject({ result: 'blocked', exitCode: 2, reason: 'unanswered' });
    expect(ended.attempts.length).toBe(1);
  });

  test('as an approval is denied, not done, and not success', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const rules = { approval: { afterSeconds: 0.3, policy: 'deny' } } as const;
    const { path, prompt, ended } = await unanswered(at, () => writes, rules);
    expect(prompt).toMatchObject({ kind: 'approval', state: 'cancelled', reason: 'deadline', actor: by });
    expect(existsSync(join(path, 'x'))).toBe(false);
    const [heard = ''] = at.toolResults();
    expect(heard).toContain('Nobody answered');
    expect(heard).not.toMatch(/the user (said|denied|rejected|doesn't|does not)/i);
    expect(ended.outcome).toMatchObject({ result: 'blocked', exitCode: 2 });
  });

  test('as an approval ends its work where failing is the rule, and is not done', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const rules = { approval: { afterSeconds: 0.3, policy: 'fail' } } as const;
    const { path, prompt, ended } = await unanswered(at, () => writes, rules);
    expect(prompt).toMatchObject({ kind: 'approval', state: 'failed', reason: 'deadline', actor: by });
    expect(existsSync(join(path, 'x'))).toBe(false);
    expect(ended.outcome).toMatchObject({ result: 'blocked', exitCode: 2, reason: 'unanswered' });
  });

  test.each(['deny', 'fail'] as const)('as free text: %s', { tags: ['full'] }, async (policy) => {
    const at = await openHostStage();
    const { prompt } = await unanswered(at, leaves, { text: { afterSeconds: 0.3, policy } });
    const state = policy === 'deny' ? 'cancelled' : 'failed';
    expect(prompt).toMatchObject({ kind: 'text', state, reason: 'deadline', actor: by });
  });

  test('in a file is told to the agent, which goes on; where failing is the rule the work is blocked', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const deny = { text: { afterSeconds: 0.3, policy: 'deny' } } as const;
    const denied = await unanswered(at, leaves, deny);
    expect(denied.ended.outcome).toMatchObject({ result: 'succeeded' });
    const heard = at.modelHeard().filter((text) => text.includes('Nobody answered'));
    expect(heard.length).toBe(1);
    const fail = { text: { afterSeconds: 0.3, policy: 'fail' } } as const;
    const failed = await unanswered(at, leaves, fail);
    expect(failed.ended.outcome).toMatchObject({ result: 'blocked', exitCode: 2 });
  });

  test('follows the settings where the work says nothing, and the work where it does', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({
      unanswered: { ask_user_question: { afterSeconds: 0.3, policy: 'default_option' } },
    });
    const bySettings = await unanswered(at, () => asks);
    expect(bySettings.prompt).toMatchObject({ state: 'answered', actor: by });
    const own = { ask_user_question: { afterSeconds: 0.3, policy: 'deny' } } as const;
    const byWork = await unanswered(at, () => asks, own);
    expect(byWork.prompt).toMatchObject({ state: 'cancelled', actor: by });
  });

  test('is answered by whoever is faster, once', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const rules = { ask_user_question: { afterSeconds: 1, policy: 'default_option' } } as const;
    const dispatch = await at.work(asks, { unanswered: rules });
    const prompt = await at.asked(dispatch.threadId);
    const { acceptedAt } = await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    await at.ended(dispatch);
    await passed(prompt);
    const next = await unanswered(at, () => asks, rules);
    expect(next.prompt.actor).toBe(by);
    expect(await at.prompt(prompt)).toMatchObject({ state: 'answered', actor: owner, acceptedAt });
    expect(await refusal(at.host.prompts.answer(next.prompt.id, { text: 'B' }, owner))).toMatchObject({
      code: 'prompt_settled',
      message: expect.stringContaining(by),
    });
  });

  test('never takes consent from silence', () => {
    const rule = { afterSeconds: 1, policy: 'default_option' };
    expect(UnansweredRules.safeParse({ approval: rule }).success).toBe(false);
    expect(UnansweredRules.safeParse({ text: rule }).success).toBe(false);
    expect(UnansweredRules.safeParse({ ask_user_question: rule }).success).toBe(true);
  });
});

describe('a deadline', () => {
  test('that passes while no worker runs is kept by the next one', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const rules = { ask_user_question: { afterSeconds: 1, policy: 'default_option' } } as const;
    const dispatch = await at.work(asks, { unanswered: rules });
    const prompt = await at.asked(dispatch.threadId);
    await at.leave();
    await passed(prompt);
    await at.open();
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'I went on.' });
    expect(await at.prompt(prompt)).toMatchObject({ state: 'answered', actor: by });
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="A"')]);
  });

  test('of a question whose agent died still counts', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const rules = { ask_user_question: { afterSeconds: 2, policy: 'default_option' } } as const;
    const dispatch = await at.work(asks, { unanswered: rules });
    const prompt = await at.asked(dispatch.threadId);
    await at.kill('runner');
    const ended = await at.ended(dispatch);
    expect(await at.prompt(prompt)).toMatchObject({ state: 'answered', actor: by });
    expect(ended.outcome?.result).toBe('succeeded');
    expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([2]);
    const heard = at.modelHeard('Which?').filter((text) => text.includes('Answer'));
    expect(heard).toEqual([expect.stringMatching(/Which\?[\s\S]*\bA\b/)]);
  });

  test('keeps the agent from being parked, because somebody must be there to hear of it', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ holdForMinutes: 0.001 });
    const rules = { ask_user_question: { afterSeconds: 1.5, policy: 'deny' } } as const;
    const { threadId, ended } = await unanswered(at, () => asks, rules);
    expect(await at.events(threadId, 'parked')).toEqual([]);
    expect(ended.outcome?.summary).toBe('I went on.');
    expect(at.toolResults()).toEqual([expect.stringContaining('Nobody answered')]);
  });
});

describe('a restart of the worker', () => {
  test('cancels what is open where that was chosen; the agent hears that nobody answered', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ onRestart: 'cancel' });
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    await at.leave();
    await at.open();
    expect((await at.ended(dispatch)).outcome?.summary).toBe('I went on.');
    expect(await at.prompt(prompt)).toMatchObject({ state: 'cancelled', reason: 'worker_restart' });
    expect(at.toolResults()).toEqual([expect.stringContaining('Nobody answered')]);
    expect(await at.events(dispatch.threadId, 'prompt_settled')).toMatchObject([
      { item: { content: [{ text: '✗ Cancelled: worker_restart' }] } },
    ]);
  });

  test('leaves an accepted answer alone', { tags: ['full'] }, async () => {
    const at = await openHostStage({ onRestart: 'cancel' });
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    await at.leave();
    await at.open();
    expect((await at.ended(dispatch)).outcome?.result).toBe('succeeded');
    expect(await at.prompt(prompt)).toMatchObject({ state: 'answered', actor: owner });
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="B"')]);
  });
});
