import { describe, expect, test } from 'vitest';
import type { Dispatch } from '../../../src/protocol/dispatch.js';
import type { Prompt } from '../../../src/protocol/prompt.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const writes = '[[tool Bash {"command":"echo made >> x"}]] [[next]] [[text I leave it.]]';
const blocked = { result: 'blocked', exitCode: 2, reason: 'denied' };

async function asking(at: HostStage): Promise<{ dispatch: Dispatch; prompt: Prompt }> {
  const dispatch = await at.work(writes, { retries: 0 });
  return { dispatch, prompt: await at.asked(dispatch.threadId) };
}

/** Denies, and gives what became of the work. */
async function denied(at: HostStage, { dispatch, prompt }: { dispatch: Dispatch; prompt: Prompt }) {
  at.stage.simulator.setScript({ replies: [{ blocks: [{ text: 'I leave it.' }] }] });
  await at.host.prompts.answer(prompt.id, { decision: { approved: false } }, owner);
  return (await at.ended(dispatch)).outcome;
}

describe('a denied action ends the work as blocked', () => {
  test('while the agent waits', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    expect(await denied(at, await asking(at))).toMatchObject(blocked);
  });

  test('while it sleeps', { tags: ['full'] }, async () => {
    const at = await openHostStage({ holdForMinutes: 0.005 });
    const asked = await asking(at);
    await at.firstEvent(asked.dispatch.threadId, 'run_ended');
    expect(await denied(at, asked)).toMatchObject(blocked);
  });

  test('after its process died', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const asked = await asking(at);
    await at.kill('runner');
    await at.firstEvent(asked.dispatch.threadId, 'run_ended');
    expect(await denied(at, asked)).toMatchObject(blocked);
  });
});

describe('an agent that nobody answers', () => {
  test.each<[string, { readonly noInput?: boolean }]>([
    ['because nobody is to be asked', { noInput: true }],
    ['because it is ended with the worker', {}],
  ])('hears so, %s', { tags: ['full'] }, async (_, request) => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Thanks.]]', request);
    if (!request.noInput) {
      await at.asked(dispatch.threadId);
      await at.host.stopAgents(owner);
    }
    const { outcome } = await at.ended(dispatch);
    expect(outcome?.result).toBe(request.noInput ? 'blocked' : 'cancelled');
    // Whoever stops its agents takes no more work.
    await at.leave();
    await at.open();
    await at.done('[[text Next.]]', { thread: dispatch.threadId });
    // In its session, whether or not the model was asked once more before the agent ended.
    const entries = at.stage.simulator.modelRequests().at(-1)?.conversation?.entries ?? [];
    const heard = entries.flatMap((entry) => (entry.kind === 'toolResult' ? [entry.text] : [])).join('\n');
    expect(heard).toContain('Nobody answered');
    expect(heard).not.toMatch(/the user (answered|said|denied|rejected|doesn't|does not)/i);
  });
});
