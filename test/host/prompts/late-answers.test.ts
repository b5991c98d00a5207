import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { markedProcesses } from '../../harness/process-guard.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const bash = { tool: 'Bash', input: { command: 'echo made > x' } };
const writes = `[[tool Bash ${JSON.stringify(bash.input)}]] [[next]] [[text Done.]]`;

async function freezeAgent(at: HostStage): Promise<void> {
  const running = await markedProcesses(at.stage.mark);
  const agent = running.find(({ command }) => /claude\b.*stream-json/.test(command));
  if (!agent) throw new Error('no agent runs');
  process.kill(agent.pid, 'SIGSTOP');
}

describe('an approval that is given after the agent died', () => {
  test('is used once for exactly that action, without asking again; the next time is asked', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const dispatch = await at.work(writes, { workspace: { path } });
    const { threadId } = dispatch;
    const prompt = await at.asked(threadId);
    await at.kill('runner');
    await at.thread(threadId, ({ status }) => status.state === 'question' && !status.held);
    expect(existsSync(join(path, 'x'))).toBe(false);

    // The agent that hears of the approval does it, and then once more.
    at.stage.simulator.setScript({
      replies: [{ blocks: [bash] }, { blocks: [bash] }, { blocks: [{ text: 'Made it.' }] }],
    });
    await at.host.prompts.answer(prompt.id, { text: 'approve' }, owner);
    const again = await at.asked(threadId, [prompt]);
    expect(existsSync(join(path, 'x'))).toBe(true);
    expect(again.fingerprint).toBe(prompt.fingerprint);
    expect(await at.prompt(prompt)).toMatchObject({ state: 'answered', actor: owner });
    await at.host.prompts.answer(again.id, { text: 'approve' }, owner);
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Made it.' });
    expect(ended.attempts.length).toBe(1);
    // Between the answer and the next process it is not shown as dead.
    const { rows } = await at.host.threads.statusLog(threadId, { limit: 200 });
    expect(rows.map(({ report }) => report.state)).not.toContain('crashed');
    expect(rows.some(({ report }) => report.why === 'your answer starts the agent again')).toBe(true);
  });

  test('with changes is told as what was approved, and covers exactly that', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const dispatch = await at.work(writes, { workspace: { path } });
    const { threadId } = dispatch;
    const prompt = await at.asked(threadId);
    await at.kill('runner');
    await at.thread(threadId, ({ status }) => status.state === 'question' && !status.held);

    // The agent does what was approved, and then what it had proposed.
    const updatedInput = { command: 'echo edited > y' };
    at.stage.simulator.setScript({
      replies: [
        { blocks: [{ tool: 'Bash', input: updatedInput }] },
        { blocks: [bash] },
        { blocks: [{ text: 'Over.' }] },
      ],
    });
    await at.host.prompts.answer(prompt.id, { decision: { approved: true, updatedInput } }, owner);
    const again = await at.asked(threadId, [prompt]);
    expect(again.action?.input).toMatchObject(bash.input);
    expect([existsSync(join(path, 'x')), existsSync(join(path, 'y'))]).toEqual([false, true]);
    const [told] = at.modelHeard('Bash with').filter((text) => text.includes('approved'));
    expect(told).toContain(`Bash with ${JSON.stringify(updatedInput)}`);
    expect(told).not.toContain('It is approved');
    await at.host.prompts.answer(again.id, { text: 'deny' }, owner);
    await at.ended(dispatch);
    expect(existsSync(join(path, 'x'))).toBe(false);
  });

  test('does not cover another action', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const dispatch = await at.work(writes, { workspace: { path } });
    const prompt = await at.asked(dispatch.threadId);
    await at.kill('runner');
    await at.thread(dispatch.threadId, ({ status }) => status.state === 'question' && !status.held);
    at.stage.simulator.setScript({
      replies: [
        { blocks: [{ tool: 'Bash', input: { command: 'echo made > y' } }] },
        { blocks: [{ text: 'Over.' }] },
      ],
    });
    await at.host.prompts.answer(prompt.id, { text: 'approve' }, owner);
    const other = await at.asked(dispatch.threadId, [prompt]);
    expect(other.action?.input).toMatchObject({ command: 'echo made > y' });
    expect(existsSync(join(path, 'y'))).toBe(false);
    await at.host.prompts.answer(other.id, { text: 'deny' }, owner);
    expect((await at.ended(dispatch)).state).toBe('ended');
    expect(existsSync(join(path, 'y'))).toBe(false);
  });
});

describe('an answer that was delivered and not used when the agent died', () => {
  test('is brought again, outside of the tries that the work has', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Never said.]]', { retries: 0 });
    const { threadId } = dispatch;
    const prompt = await at.asked(threadId);
    await freezeAgent(at);
    await at.host.prompts.answer(prompt.id, { text: 'B' }, owner);
    await at.prompt(prompt, ({ deliveredAt }) => deliveredAt !== undefined);
    at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'I heard it.' }] }] });
    await at.kill('agent');

    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'I heard it.' });
    expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([2]);
    const heard = at.modelHeard('Which?').filter((text) => text.includes('Answer'));
    expect(heard).toEqual([expect.stringMatching(/Which\?[\s\S]*\bB\b/)]);
    expect(await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined)).toMatchObject({
      state: 'answered',
    });
    expect((await at.events(threadId, 'prompt_settled')).length).toBe(1);
  });
});

describe('words posted into a thread whose asking agent died', () => {
  test('answer the question, and the work goes on', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Never said.]]');
    const prompt = await at.asked(dispatch.threadId);
    await at.kill('runner');
    await at.thread(dispatch.threadId, ({ status }) => status.state === 'question' && !status.held);
    at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'I heard it.' }] }] });
    const item = { content: [{ type: 'text' as const, text: '1' }] };
    expect(await at.host.threads.post(dispatch.threadId, item, owner)).toMatchObject({
      effect: 'answered',
      promptId: prompt.id,
    });
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'I heard it.' });
  });
});
