import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { composeHost } from '../../../dist/compose.js';
import { markedProcesses } from '../../harness/process-guard.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const waits = '[[tool Bash {"command":"until test -e go; do sleep 0.1; done"}]] [[next]] [[text Done.]]';
const asks = '[[ask Which? | A | B]] [[next]] [[text Thanks.]]';

async function signalRunner(at: HostStage, signal: NodeJS.Signals): Promise<void> {
  const running = await markedProcesses(at.stage.mark);
  const runner = running.find(({ command }) => command.includes('handraise-runner'));
  if (!runner) throw new Error('no runner runs');
  process.kill(runner.pid, signal);
}

describe('a host that ends', () => {
  test('while a turn runs leaves the agent at work; the next host takes its outcome', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const dispatch = await at.work(waits, { workspace: { path }, permissions: 'autonomous' });
    await at.runs('test -e go');
    const lease = (await at.store.query('dispatch', { id: dispatch.id }))?.lease;
    await at.leave();
    // The turn ends while nobody looks.
    writeFileSync(join(path, 'go'), '');
    await at.stage.simulator.waitFor(({ answer }) => answer !== undefined && at.toolResults().length === 1);
    await at.open();

    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Done.' });
    expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([1]);
    expect(at.modelHeard()).toEqual([waits]);
    expect(at.stage.simulator.modelRequests().length).toBe(2);
    const events = await at.events(dispatch.threadId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const numbers = events.flatMap(({ runSeq }) => (typeof runSeq === 'number' ? [runSeq] : []));
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    // The same worker in another life, with a lease of its own.
    const after = (await at.store.query('dispatch', { id: dispatch.id }))?.lease;
    expect(lease).toMatchObject({ epoch: 1 });
    expect(after?.workerId ?? lease?.workerId).toBe(lease?.workerId);
  });

  test('while an agent asks changes nothing about the question', async () => {
    const at = await openHostStage();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    await at.reached(dispatch, 'waiting');
    await at.leave();
    await at.open();
    expect(await at.prompt(prompt)).toEqual(prompt);
    expect(await at.status(dispatch.threadId, 'question')).toMatchObject({ promptId: prompt.id, held: true });
    expect((await at.host.dispatches.get(dispatch.id)).state).toBe('waiting');

    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([1]);
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="B"')]);
    expect(
      (await at.events(dispatch.threadId, 'prompt_asked', 'prompt_settled')).map(({ type }) => type),
    ).toEqual(['prompt_asked', 'prompt_settled']);
  });

  test('between the acceptance of an answer and its delivery: the next one delivers it, once', async () => {
    const at = await openHostStage();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    await signalRunner(at, 'SIGSTOP');
    const accepted = await at.host.prompts.answer(prompt.id, { text: 'A' }, owner);
    expect(accepted).toMatchObject({ state: 'pending', answers: [{ question: 'Which?', answer: ['A'] }] });
    expect(accepted).not.toHaveProperty('deliveredAt');
    expect((await at.host.prompts.list({ open: true })).rows).toEqual([]);
    await at.leave();
    await at.open();
    expect(await refusal(at.host.prompts.answer(prompt.id, { text: 'B' }, owner))).toMatchObject({
      code: 'prompt_settled',
    });
    await signalRunner(at, 'SIGCONT');

    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="A"')]);
    expect(await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined)).toMatchObject({
      state: 'answered',
    });
    expect((await at.events(dispatch.threadId, 'prompt_settled')).length).toBe(1);
  });

  test('and a runner that dies with an accepted answer undelivered: the answer starts a new run', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    await signalRunner(at, 'SIGSTOP');
    await at.host.prompts.answer(prompt.id, { text: 'A' }, owner);
    await at.leave();
    at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'I heard it.' }] }] });
    await at.kill('runner');
    await at.open();
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'I heard it.' });
    expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([2]);
    const heard = at.modelHeard('Which?').filter((text) => text.includes('Answer'));
    expect(heard).toEqual([expect.stringMatching(/Which\?[\s\S]*\bA\b/)]);
    expect(await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined)).toMatchObject({
      state: 'answered',
    });
  });

  test('with work in the queue, or between two tries, leaves it to the next', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const verify = 'test -e again || { touch again; false; }';
    const tried = await at.work('[[text Did it.]]', { verify });
    await at.dispatch(tried, ({ state, attempts }) => state === 'queued' && attempts.length === 1);
    const queued = await at.work('[[text Next.]]', { thread: tried.threadId });
    await at.leave();
    await at.open();
    const ended = await at.ended(tried);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', verification: 'passed' });
    expect(ended.attempts.length).toBe(2);
    expect((await at.ended(queued)).outcome?.summary).toBe('Next.');
    expect(at.modelHeard().length).toBe(3);
  });

  test('while the check runs has it run again, for one outcome', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const verify = 'echo x >> checks; until test -e go; do sleep 0.1; done';
    const dispatch = await at.work('[[text Did it.]]', { workspace: { path }, verify });
    await at.runs('until test -e go');
    await at.leave();
    await at.runs('until test -e go', { isThere: false });
    writeFileSync(join(path, 'go'), '');
    await at.open();
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', verification: 'passed' });
    expect(ended.attempts.length).toBe(1);
    expect((await at.events(dispatch.threadId, 'verified')).length).toBe(1);
    expect(at.modelHeard()).toEqual(['[[text Did it.]]']);
  });

  test('at any moment of a dispatch: one outcome, and the model hears every message once', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { threadId: thread } = await at.done('[[text Warm.]]', { permissions: 'autonomous' });
    const moments = [
      'dispatch_started',
      'user_message',
      'command_accepted',
      'tool_start',
      'tool_end',
      'assistant_text',
      'result',
      'turn_complete',
    ];
    const texts = ['[[text Warm.]]'];
    for (const [round, moment] of moments.entries()) {
      const text = `[[tool Bash {"command":"echo ${round}"}]] [[next]] [[text Round ${round}.]]`;
      texts.push(text);
      const { lastSeq } = await at.host.threads.get(thread);
      const dispatch = await at.work(text, { thread });
      await at.firstEvent(thread, moment, ({ seq }) => seq > lastSeq);
      await at.leave();
      await at.open();
      const ended = await at.ended(dispatch);
      expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: `Round ${round}.` });
      expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([1]);
      const said = await at.events(thread, 'dispatch_started', 'dispatch_ended');
      expect(said.filter((event) => event.dispatchId === dispatch.id).map(({ type }) => type)).toEqual([
        'dispatch_started',
        'dispatch_ended',
      ]);
    }
    expect(at.modelHeard()).toEqual(texts);
    expect(at.toolResults().length).toBe(moments.length);
    expect((await at.events(thread, 'run_started')).length).toBe(1);
  });

  test('right after it took new work, while the agent is being started: one agent, one outcome', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    for (const moment of ['dispatch_started', 'run_started', 'user_message', 'ready']) {
      const dispatch = await at.work(`[[text ${moment}.]]`);
      await at.firstEvent(dispatch.threadId, moment);
      await at.leave();
      await at.open();
      const ended = await at.ended(dispatch);
      expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: `${moment}.` });
      expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([1]);
      expect((await at.events(dispatch.threadId, 'run_started')).length).toBe(1);
      expect(at.modelHeard(`${moment}.`)).toEqual([dispatch.text]);
    }
  });

  test('is not joined by a second one in its home', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const settings = { slots: 1, retries: 0, idleTimeoutMinutes: 15, keepSpare: false };
    const second = composeHost({ home: at.home, settings, env: at.stage.env, log: () => {} });
    expect(await refusal(second)).toMatchObject({ code: 'home_busy' });
    expect((await at.done('[[text Still here.]]')).outcome?.result).toBe('succeeded');
  });
});

describe('an end of all agents', () => {
  test('calls off what they were doing, and cancels what they asked', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const asking = await at.work(asks);
    const prompt = await at.asked(asking.threadId);
    const idle = await at.done('[[text Idle.]]');
    await at.host.stopAgents(owner);
    expect(await at.prompt(prompt)).toMatchObject({ state: 'cancelled', reason: 'worker_shutdown' });
    expect((await at.ended(asking)).outcome).toMatchObject({ result: 'cancelled' });
    expect(await markedProcesses(at.stage.mark)).toEqual([]);
    for (const { threadId } of [asking, idle])
      expect((await at.thread(threadId)).status.state).toBe('stopped');
  });

  test('leaves what was queued to the next worker', { tags: ['full'] }, async () => {
    const at = await openHostStage({ slots: 1 });
    const first = await at.work('[[hang]]');
    await at.modelAsked('[[hang]]');
    const later = await at.work('[[text Later.]]');
    await at.host.stopAgents(owner);
    expect((await at.ended(first)).outcome).toMatchObject({ result: 'cancelled' });
    expect(await markedProcesses(at.stage.mark)).toEqual([]);
    expect((await at.host.dispatches.get(later.id)).state).toBe('queued');
    await at.leave();
    await at.open();
    expect((await at.ended(later)).outcome).toMatchObject({ result: 'succeeded', summary: 'Later.' });
  });
});

describe('a spare runner', () => {
  test('serves new work, and is gone with its host', { tags: ['full'] }, async () => {
    const at = await openHostStage({ keepSpare: true });
    const first = await at.done('[[text One.]]');
    const second = await at.done('[[text Two.]]');
    expect([first, second].map(({ outcome }) => outcome?.summary)).toEqual(['One.', 'Two.']);
    await at.host.stopAgents(owner);
    await at.leave();
    await at.runs('handraise-runner', { isThere: false });
    await at.open();
  });
});
