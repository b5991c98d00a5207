import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Dispatch, DispatchRequest } from '../../../src/protocol/dispatch.js';
import type { Prompt } from '../../../src/protocol/prompt.js';
import { markedProcesses } from '../../harness/process-guard.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const soon = { holdForMinutes: 0.005 };
const asks = '[[ask Which? | A | B]] [[next]] [[text Thanks.]]';
/** Claude says this to itself when a session goes on without a new message. */
const goesOn = 'Continue from where you left off.';
const bash = { tool: 'Bash', input: { command: 'echo made >> x' } };
const writes = `[[tool Bash ${JSON.stringify(bash.input)}]] [[next]] [[text Done.]]`;

interface Parked {
  readonly dispatch: Dispatch;
  readonly prompt: Prompt;
  readonly how: unknown;
}

/** Has an agent ask and waits until its process was let go. */
async function parked(at: HostStage, text: string, request: Partial<DispatchRequest> = {}): Promise<Parked> {
  const dispatch = await at.work(text, request);
  const prompt = await at.asked(dispatch.threadId);
  const { how } = await at.firstEvent(dispatch.threadId, 'parked');
  await gone(at, dispatch);
  return { dispatch, prompt, how };
}

async function gone(at: HostStage, { threadId }: Dispatch): Promise<void> {
  // Nobody takes it for an agent that has died.
  expect(await at.firstEvent(threadId, 'run_ended')).toMatchObject({
    reason: 'to sleep until the answer comes',
  });
  expect(await at.status(threadId, 'question')).toMatchObject({
    held: false,
    why: expect.stringContaining('sleeping'),
  });
}

/** The memory that the runner and the agent take, in bytes. */
async function memory(at: HostStage): Promise<number> {
  const running = await markedProcesses(at.stage.mark);
  return running.reduce((sum, { pid }) => sum + residentBytes(pid), 0);
}

function residentBytes(pid: number): number {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}

function lines(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
}

async function costs(at: HostStage, { threadId }: Dispatch): Promise<number> {
  const results = await at.events(threadId, 'result');
  return results.reduce((sum, { cost }) => sum + (typeof cost === 'number' ? cost : 0), 0);
}

describe('an agent whose question waits for long', () => {
  test('is let go with all its memory; the answer wakes it inside of the call that asked', async () => {
    const at = await openHostStage(soon);
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    const before = await memory(at);
    expect(before).toBeGreaterThan(50 * 2 ** 20);
    expect(await at.firstEvent(dispatch.threadId, 'parked')).toMatchObject({ how: 'deferred' });
    await gone(at, dispatch);
    await waitUntil('the agent takes no memory', async () => (await memory(at)) === 0);
    expect(await at.prompt(prompt)).toEqual(prompt);
    expect((await at.host.dispatches.get(dispatch.id)).state).toBe('waiting');
    expect((await at.host.prompts.list({ open: true })).rows.map(({ id }) => id)).toEqual([prompt.id]);

    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([2]);
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="B"')]);
    expect(at.modelHeard()).toEqual([asks, goesOn]);
    expect(await at.prompt(prompt)).toMatchObject({
      state: 'answered',
      deliveredAt: expect.any(String),
      consumedAt: expect.any(String),
    });
    const said = await at.events(dispatch.threadId, 'prompt_asked', 'prompt_settled');
    expect(said.map(({ type }) => type)).toEqual(['prompt_asked', 'prompt_settled']);
    // Both lives are paid for.
    expect((await at.events(dispatch.threadId, 'result')).length).toBe(2);
    expect(ended.outcome?.costUsd).toBeCloseTo(await costs(at, dispatch), 6);
  });

  test('has its tools when it is woken, and the model is told nothing else', { tags: ['full'] }, async () => {
    const at = await openHostStage(soon);
    const { dispatch, prompt } = await parked(at, asks);
    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    await at.ended(dispatch);
    await at.done('[[text And more.]]', { thread: dispatch.threadId });
    await at.kill('runner');
    await at.thread(dispatch.threadId, ({ status }) => status.state !== 'idle');
    await at.done('[[text And again.]]', { thread: dispatch.threadId });
    const sent = at.stage.simulator.modelRequests().map(({ body }) => JSON.stringify(body));
    expect(sent.length).toBe(4);
    expect(sent.map((text) => text.split('"name":"mcp__handraise__').length > 1)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(sent.filter((text) => /source has since been removed|available again/.test(text))).toEqual([]);
  });

  test('is let go at once when other work wants its workspace', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const first = await at.work(asks, { workspace: { path } });
    const prompt = await at.asked(first.threadId);
    const second = await at.done('[[text Meanwhile.]]', { workspace: { path } });
    expect(second.outcome?.summary).toBe('Meanwhile.');
    expect(await at.firstEvent(first.threadId, 'parked')).toMatchObject({ how: 'deferred' });
    await at.host.prompts.answer(prompt.id, { text: 'A' }, owner);
    expect((await at.ended(first)).outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="A"')]);
  });

  test('takes the first of two answers, and refuses the other', { tags: ['full'] }, async () => {
    const at = await openHostStage(soon);
    const { dispatch, prompt } = await parked(at, asks);
    const tries = await Promise.allSettled([
      at.host.prompts.answer(prompt.id, { text: 'A' }, 'user:one'),
      at.host.prompts.answer(prompt.id, { text: 'B' }, 'user:two'),
    ]);
    expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const { actor, answers } = await at.prompt(prompt);
    await at.ended(dispatch);
    expect(await at.prompt(prompt)).toMatchObject({ state: 'answered', actor, answers });
    const word = actor === 'user:one' ? 'A' : 'B';
    expect(at.toolResults()).toEqual([expect.stringContaining(`"Which?"="${word}"`)]);
  });

  test('hears in the call that asked that its question was withdrawn, and goes on', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage(soon);
    const { dispatch, prompt } = await parked(at, asks);
    await at.host.prompts.cancel(prompt.id, { actor: owner });
    const ended = await at.ended(dispatch);
    // As it is for an agent that waits: it needed an answer, did nothing else, and nobody was there.
    expect(ended.outcome).toMatchObject({ result: 'blocked', exitCode: 2, summary: 'Thanks.' });
    expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([2]);
    const [heard = ''] = at.toolResults();
    expect(heard).toContain('Nobody answered');
    expect(heard).not.toMatch(/the user (answered|said|denied|rejected|doesn't|does not)/i);
    // The thread itself can go on.
    const next = await at.done('[[text Something else.]]', { thread: dispatch.threadId });
    expect(next.outcome).toMatchObject({ result: 'succeeded', summary: 'Something else.' });
  });

  test('hears what waits behind its question after it, although the question was cancelled', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage(soon);
    const dispatch = await at.work(writes);
    const prompt = await at.asked(dispatch.threadId);
    const content = [{ type: 'text' as const, text: 'By the way.' }];
    const posted = await at.host.threads.post(
      dispatch.threadId,
      { content, metadata: { queue: true } },
      owner,
    );
    expect(await at.firstEvent(dispatch.threadId, 'parked')).toMatchObject({ how: 'interrupted' });
    await gone(at, dispatch);
    await at.host.prompts.cancel(prompt.id, { actor: owner });
    // Silence is no consent.
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'blocked', reason: 'denied' });
    if (!posted.dispatchId) throw new Error('unreachable');
    expect((await at.ended({ id: posted.dispatchId })).outcome?.result).toBe('succeeded');
    expect(at.modelHeard().filter((text) => text === 'By the way.').length).toBe(1);
  });

  test('does not go on with work that was called off meanwhile when other work wakes it', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage(soon);
    const { dispatch } = await parked(
      at,
      '[[ask Which? | A | B]] [[next]] [[ask And then? | A | B]] [[next]] [[text Never.]]',
    );
    await at.host.dispatches.cancel(dispatch.id, owner);
    const next = await at.done('[[text Here.]]', { thread: dispatch.threadId });
    expect(next.outcome).toMatchObject({ result: 'succeeded', summary: 'Here.' });
    const asked = await at.events(dispatch.threadId, 'user_question_request');
    expect(asked.map(({ questions }) => questions)).toEqual([
      [expect.objectContaining({ question: 'Which?' })],
      [expect.objectContaining({ question: 'Which?' })],
    ]);
    const [told] = at.stage.simulator.toolResults().map(({ text }) => text);
    expect(told).toContain('Nobody answered: the question was cancelled.');
  });

  test('is let go too when it asked in a file, and gets the answer in its next life', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage(soon);
    const path = at.folder();
    const file = join(path, '.agora', 'needs_input.json');
    const content = JSON.stringify({ question: 'Which way?', partial_state: { at: 'the fork' } });
    const leaves = `[[tool Write ${JSON.stringify({ file_path: file, content })}]] [[next]] [[text Over.]]`;
    const dispatch = await at.work(leaves, { workspace: { path } });
    const prompt = await at.asked(dispatch.threadId);
    await gone(at, dispatch);
    await waitUntil('the agent takes no memory', async () => (await memory(at)) === 0);
    await at.host.prompts.answer(prompt.id, { text: 'left' }, owner);
    expect((await at.ended(dispatch)).outcome?.result).toBe('succeeded');
    const told = at.modelHeard().filter((text) => text.includes('"answer": "left"'));
    expect(told).toEqual([expect.stringContaining('"the fork"')]);
  });

  test('is woken by the next worker', { tags: ['full'] }, async () => {
    const at = await openHostStage(soon);
    const { dispatch, prompt } = await parked(at, asks);
    await at.leave();
    await at.open();
    expect(await at.prompt(prompt)).toEqual(prompt);
    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="B"')]);
  });

  test('hears what was said meanwhile after the answer, once', { tags: ['full'] }, async () => {
    const at = await openHostStage(soon);
    const { dispatch, prompt } = await parked(at, asks);
    const content = [{ type: 'text' as const, text: 'By the way.' }];
    const posted = await at.host.threads.post(
      dispatch.threadId,
      { content, metadata: { queue: true } },
      owner,
    );
    expect(posted.effect).toBe('queued');
    expect(await at.prompt(prompt)).toEqual(prompt);
    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    await at.ended(dispatch);
    await at.modelAsked('By the way.');
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="B"')]);
    expect(at.modelHeard('By the way.')).toEqual([asks, goesOn, 'By the way.']);
  });
});

describe('a machine that went down while an agent asked', () => {
  test('keeps the question; the answer starts the agent again', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    await at.leave();
    await at.kill('runner');
    await at.gone();
    await at.open();
    expect(await at.prompt(prompt)).toEqual(prompt);
    await at.thread(dispatch.threadId, ({ status }) => status.state === 'question' && !status.held);
    at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'I heard it.' }] }] });
    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'I heard it.' });
    expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([2]);
    const heard = at.modelHeard('Which?').filter((text) => text.includes('Answer'));
    expect(heard).toEqual([expect.stringMatching(/Which\?[\s\S]*\bB\b/)]);
  });
});

describe('an approval that waits for long', () => {
  test('covers exactly that call after the wake, once; the same call again is asked', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage(soon);
    const path = at.folder();
    const { dispatch, prompt, how } = await parked(at, writes, { workspace: { path } });
    expect(how).toBe('interrupted');
    at.stage.simulator.setScript({
      replies: [{ blocks: [bash] }, { blocks: [bash] }, { blocks: [{ text: 'Made it.' }] }],
    });
    await at.host.prompts.answer(prompt.id, { text: 'approve' }, owner);
    const again = await at.asked(dispatch.threadId, [prompt]);
    expect(again.fingerprint).toBe(prompt.fingerprint);
    expect(lines(join(path, 'x'))).toBe(1);
    expect(await at.prompt(prompt)).toMatchObject({ state: 'answered', actor: owner });
    await at.host.prompts.answer(again.id, { text: 'approve' }, owner);
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Made it.' });
    expect(lines(join(path, 'x'))).toBe(2);
  });

  test('does not cover another input', { tags: ['full'] }, async () => {
    const at = await openHostStage(soon);
    const path = at.folder();
    const { dispatch, prompt } = await parked(at, writes, { workspace: { path } });
    const other = { tool: 'Bash', input: { command: 'echo made >> y' } };
    at.stage.simulator.setScript({ replies: [{ blocks: [other] }, { blocks: [{ text: 'Over.' }] }] });
    await at.host.prompts.answer(prompt.id, { text: 'approve' }, owner);
    const asked = await at.asked(dispatch.threadId, [prompt]);
    expect(asked.action?.input).toMatchObject(other.input);
    await at.host.prompts.answer(asked.id, { text: 'deny' }, owner);
    await at.ended(dispatch);
    expect([lines(join(path, 'x')), lines(join(path, 'y'))]).toEqual([0, 0]);
  });

  test('that is denied is told to the agent that wakes', { tags: ['full'] }, async () => {
    const at = await openHostStage(soon);
    const path = at.folder();
    const { dispatch, prompt } = await parked(at, writes, { workspace: { path } });
    at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'I leave it.' }] }] });
    const decision = { approved: false, message: 'Not today.' };
    await at.host.prompts.answer(prompt.id, { decision }, owner);
    expect((await at.ended(dispatch)).outcome?.summary).toBe('I leave it.');
    expect(lines(join(path, 'x'))).toBe(0);
    expect(at.modelHeard('Not today.').filter((text) => text.includes('Not today.')).length).toBe(1);
  });
});

describe('several prompts that wait for long', () => {
  test('are all kept, and each answer reaches the agent once', { tags: ['full'] }, async () => {
    const at = await openHostStage(soon);
    const fetches = ['a', 'b'].map(
      (name) => `[[tool WebFetch {"url":"http://127.0.0.1:1/${name}","prompt":"${name}"}]]`,
    );
    const dispatch = await at.work(`${fetches.join(' ')} [[next]] [[text Done.]]`);
    const prompts = await at.prompts(dispatch.threadId, 2);
    expect(await at.firstEvent(dispatch.threadId, 'parked')).toMatchObject({ how: 'interrupted' });
    await gone(at, dispatch);
    expect(await at.prompts(dispatch.threadId, 2)).toEqual(prompts);
    at.stage.simulator.setScript({ replies: [1, 2, 3].map(() => ({ blocks: [{ text: 'I see.' }] })) });
    for (const [index, { id }] of prompts.entries()) {
      const decision = { approved: false, message: `word-${index}` };
      await at.host.prompts.answer(id, { decision }, owner);
    }
    await at.ended(dispatch);
    for (const [index, prompt] of prompts.entries()) {
      const word = `word-${index}`;
      expect(await at.prompt(prompt)).toMatchObject({ state: 'answered' });
      expect(at.modelHeard(word).filter((text) => text.includes(word)).length).toBe(1);
    }
  });

  test('a sub-agent’s is kept too', { tags: ['full'] }, async () => {
    const at = await openHostStage(soon);
    const path = at.folder();
    const input = {
      description: 'a helper',
      prompt: `<<tool Bash ${JSON.stringify(bash.input)}>> <<next>> <<text The child is done.>>`,
      subagent_type: 'general-purpose',
      run_in_background: false,
    };
    const text = `[[tool Agent ${JSON.stringify(input)}]] [[next]] [[text Done.]]`;
    const { dispatch, prompt, how } = await parked(at, text, { workspace: { path } });
    expect(how).toBe('interrupted');
    at.stage.simulator.setScript({ replies: [{ blocks: [bash] }, { blocks: [{ text: 'Made it.' }] }] });
    await at.host.prompts.answer(prompt.id, { text: 'approve' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Made it.' });
    expect(lines(join(path, 'x'))).toBe(1);
    expect(await refusal(at.host.prompts.answer(prompt.id, { text: 'deny' }, owner))).toMatchObject({
      code: 'prompt_settled',
    });
  });
});
