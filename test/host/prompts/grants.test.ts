// @module-tag full
import { expect, test } from 'vitest';
import type { ThreadId } from '../../../src/protocol/id.js';
import { bash } from '../../runner/prompting.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const touch = (name: string) => `${bash(`touch ${name}`)} [[next]] [[text done]]`;
const forThread = { decision: { approved: true, scope: 'thread' } } as const;

/** Gives work whose one action is asked, and answers it. */
async function askedFor(at: HostStage, name: string, thread?: ThreadId) {
  const { id, threadId } = await at.work(touch(name), thread ? { thread } : {});
  const prompt = await at.asked(threadId);
  await at.host.prompts.answer(prompt.id, forThread, owner);
  await at.ended({ id });
  return { threadId, prompt };
}

test('an approval for the thread outlives the agent and the worker, is listed, and ends when it is withdrawn', async () => {
  const at = await openHostStage();
  const { threadId, prompt } = await askedFor(at, 'a');
  await at.host.threads.stop(threadId, owner);
  await at.leave();
  await at.open();
  expect((await at.done(touch('a'), { thread: threadId })).outcome?.result).toBe('succeeded');
  const { rows } = await at.host.prompts.list({ threadId });
  expect(rows.map(({ actor, state }) => [actor, state])).toEqual([
    [owner, 'answered'],
    ['policy:grant', 'answered'],
  ]);
  // Nobody was asked, so nobody is told of a question.
  expect(await at.events(threadId, 'prompt_asked')).toHaveLength(1);
  const [grant] = (await at.host.grants.list(threadId)).rows;
  expect(grant).toMatchObject({
    promptId: prompt.id,
    tool: 'Bash',
    input: { command: 'touch a' },
    actor: owner,
  });

  expect(await at.host.grants.withdraw(threadId, prompt.id, owner)).toEqual({ rows: [] });
  await expect(at.host.grants.withdraw(threadId, prompt.id, owner)).rejects.toMatchObject({
    code: 'not_found',
  });
  // The agent that was told before lives on, and asks again.
  await askedFor(at, 'a', threadId);
  const notices = (await at.events(threadId, 'notice')).map(({ message }) => message);
  expect(notices).toContainEqual(expect.stringContaining(`${prompt.id} was withdrawn by owner`));
});
