import { expect, test } from 'vitest';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const asks = '[[ask Which? | A | B]] [[next]] [[text I go on.]]';

async function runnerOf(at: HostStage): Promise<number> {
  const { rows } = await at.store.query('runs', { ended: false });
  return rows[0]?.process?.pid ?? 0;
}

test('a question that is cancelled while its runner cannot be reached is withdrawn once it can', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage();
  const dispatch = await at.work(asks, { retries: 0 });
  const prompt = await at.asked(dispatch.threadId);
  const pid = await runnerOf(at);
  await at.leave();
  process.kill(pid, 'SIGSTOP');
  await at.open();
  await at.host.prompts.cancel(prompt.id, { actor: owner });
  process.kill(pid, 'SIGCONT');
  expect((await at.ended(dispatch)).outcome).toMatchObject({ summary: 'I go on.' });
  expect(at.toolResults().join()).toContain('Nobody answered');
});

test('a question that is cancelled by a worker that is gone a moment later is withdrawn by the next', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage();
  const dispatch = await at.work(asks, { retries: 0 });
  const prompt = await at.asked(dispatch.threadId);
  const { store } = at;
  // Committed, and never told: as if the worker had been killed in between.
  await store.commit({
    operations: [
      {
        do: 'settlePrompt',
        promptId: prompt.id,
        state: 'cancelled',
        reason: 'no longer needed',
        actor: owner,
      },
    ],
  });
  await at.leave();
  await at.open();
  expect((await at.ended(dispatch)).outcome).toMatchObject({ summary: 'I go on.' });
});
