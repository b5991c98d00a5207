// Commands whose exit codes are read, and what becomes of work that failed for good.
import { expect, test } from 'vitest';
import { openHostStage, owner } from '../host-stage.js';

const ending = (code: number) => ({
  runtime: 'exec' as const,
  posture: { command: `sh -c "echo why >&2; exit ${code}"`, exitCodes: true },
});

test('a command that declares it is read by its exit codes; a signal is none, and nobody else is read so', async () => {
  const at = await openHostStage({ retries: 0 });
  for (const code of [2, 64, 65, 66, 69, 75, 77, 78])
    expect((await at.done('x', ending(code))).outcome).toMatchObject({ exitCode: code });
  expect((await at.done('x', ending(3))).outcome).toMatchObject({ exitCode: 1, reason: 'error' });
  const undeclared = { runtime: 'exec', posture: { command: 'sh -c "exit 2"' } } as const;
  expect((await at.done('x', undeclared)).outcome).toMatchObject({ result: 'failed', exitCode: 1 });
  const killed = { runtime: 'exec', posture: { command: 'sh -c "kill -9 $$"', exitCodes: true } } as const;
  expect((await at.done('x', killed)).outcome).toMatchObject({ exitCode: 1, reason: 'crashed' });
  await expect(at.work('x', { posture: { exitCodes: true } })).rejects.toThrow(
    'The runtime claude cannot do this: have its exit code read.',
  );
});

test('what is blocked is not tried again, and a person is asked at once, with a report', async () => {
  const at = await openHostStage({ retries: 5 });
  const work = await at.done('mend it', { ...ending(2), onFailure: 'escalate' });
  expect([work.attempts.length, work.outcome?.exitCode]).toEqual([1, 2]);
  const prompt = await at.asked(work.threadId);
  expect(prompt.questions[0]).toMatchObject({
    question: '"mend it" is blocked after one try. What becomes of it?',
    byWorker: true,
  });
  expect(prompt.questions[0]?.context).toContain('why');
  await at.host.prompts.answer(prompt.id, { text: 'Leave it' }, owner);
  await at.thread(work.threadId, ({ status }) => status.state !== 'question');
  expect((await at.host.dispatches.list({ threadId: work.threadId })).rows).toHaveLength(1);
});

test('after the last try a person decides; a worker that was gone meanwhile does it once', async () => {
  const at = await openHostStage({ retries: 1 });
  const work = await at.done('mend it', { ...ending(3), onFailure: 'escalate' });
  expect(work.attempts).toHaveLength(2);
  const prompt = await at.asked(work.threadId);
  await at.leave();
  await at.open();
  expect((await at.asked(work.threadId)).id).toBe(prompt.id);
  await at.host.prompts.answer(prompt.id, { text: 'Try again' }, owner);
  const again = await at.asked(work.threadId, [prompt]);
  expect(again.id).not.toBe(prompt.id);
  const { rows } = await at.host.dispatches.list({ threadId: work.threadId });
  expect(rows.map(({ retryOf, actor }) => [retryOf, actor])).toEqual([
    [undefined, owner],
    [work.id, owner],
  ]);
  await at.leave();
  await at.open();
  expect((await at.host.dispatches.list({ threadId: work.threadId })).rows).toHaveLength(2);
});
