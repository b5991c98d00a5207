import { describe, expect, test } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import { planFile } from '../../harness/plan-file.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const plan = '# The plan\n\n1. Look.\n2. Leap.\n';
const proposes = '[[text My plan.]] [[tool ExitPlanMode {}]] [[next]] [[text I see.]]';

/** A thread in plan mode whose plan is written where the agent wants it: the path stands in its reminder. */
async function planned(at: HostStage, request: Partial<DispatchRequest>) {
  const { threadId } = await at.done('[[text I will plan.]]', request);
  const input = JSON.stringify({ file_path: planFile(at.stage.simulator), content: plan });
  await at.done(`[[tool Write ${input}]] [[next]] [[text Written.]]`, { thread: threadId });
  return threadId;
}

describe('a plan', () => {
  test('is an approval that carries the plan: denied with words, then approved', async () => {
    const at = await openHostStage();
    const thread = await planned(at, { posture: { permissionMode: 'plan' } });
    const first = await at.work(proposes, { thread });
    const prompt = await at.asked(thread);
    expect(prompt).toMatchObject({
      kind: 'approval',
      action: { input: { plan }, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const [asked] = await at.events(thread, 'prompt_asked');
    expect(JSON.stringify(asked?.item)).toContain('2. Leap.');
    expect(JSON.stringify(asked?.item)).toContain('Reply approve or deny.');
    await at.host.prompts.answer(prompt.id, { decision: { approved: false, message: 'Look twice.' } }, owner);
    const denied = await at.ended(first);
    expect(at.toolResults().at(-1)).toContain('Look twice.');
    expect(denied.outcome?.result).not.toBe('succeeded');

    const second = await at.work(proposes, { thread });
    await at.host.prompts.answer((await at.asked(thread)).id, { text: 'approve' }, owner);
    expect((await at.ended(second)).outcome).toMatchObject({ result: 'succeeded', summary: 'I see.' });
    expect(at.toolResults().at(-1)).toContain('approved');
  });

  test('that is empty can be denied, and approved in no way', async () => {
    const at = await openHostStage();
    const work = await at.work(proposes, { posture: { permissionMode: 'plan' } });
    const prompt = await at.asked(work.threadId);
    const [question = { question: '' }] = prompt.questions;
    for (const answer of [
      { decision: { approved: true } },
      { answers: [{ question: question.question, answer: ['Approve'] }] },
      { text: 'approve' },
    ])
      expect(await refusal(at.host.prompts.answer(prompt.id, answer, owner))).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('The plan is empty'),
      });
    await at.host.prompts.answer(prompt.id, { text: 'no' }, owner);
    expect((await at.ended(work)).outcome?.result).not.toBe('succeeded');
  });

  test('outlives the process of its agent, and is approved inside of the call that asked', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ holdForMinutes: 0.005 });
    const thread = await planned(at, { posture: { permissionMode: 'plan' } });
    const dispatch = await at.work(proposes, { thread });
    const prompt = await at.asked(thread);
    await at.firstEvent(thread, 'parked');
    expect(
      await at.thread(thread, ({ status }) => status.state === 'question' && !status.held),
    ).toMatchObject({
      status: { state: 'question', why: expect.stringContaining('sleeping') },
    });
    await at.host.prompts.answer(prompt.id, { text: 'approve' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'I see.' });
    expect(at.toolResults().at(-1)).toContain('approved');
    expect((await at.host.prompts.list({ threadId: thread })).rows.length).toBe(1);
  });

  test('is asked where an autonomous thread was put into plan mode on purpose', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const thread = await planned(at, { permissions: 'autonomous', posture: { permissionMode: 'plan' } });
    const dispatch = await at.work(proposes, { thread });
    const prompt = await at.asked(thread);
    expect(prompt).toMatchObject({ kind: 'approval', action: { input: { plan } } });
    await at.host.prompts.answer(prompt.id, { text: 'yes' }, owner);
    expect((await at.ended(dispatch)).outcome?.result).toBe('succeeded');
    // Only the plan is asked for there.
    const after = await at.done('[[tool Bash {"command":"echo x > x"}]] [[next]] [[text Done.]]', { thread });
    expect(after.outcome?.result).toBe('succeeded');
    expect((await at.host.prompts.list({ threadId: thread })).rows.length).toBe(1);
  });

  test('of an autonomous thread whose agent planned by itself is approved by policy, and says so', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { threadId: thread } = await at.done('[[tool EnterPlanMode {}]] [[next]] [[text I will plan.]]', {
      permissions: 'autonomous',
    });
    const input = JSON.stringify({ file_path: planFile(at.stage.simulator), content: plan });
    const dispatch = await at.done(
      `[[tool Write ${input}]] [[next]] [[tool ExitPlanMode {}]] [[next]] [[text Off we go.]]`,
      { thread },
    );
    expect(dispatch.outcome).toMatchObject({ result: 'succeeded', summary: 'Off we go.' });
    const { rows } = await at.host.prompts.list({ threadId: thread });
    expect(rows.filter(({ actor }) => actor !== 'policy:autonomous')).toEqual([]);
  });
});
