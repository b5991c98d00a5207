import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const program = new URL('../host-process.js', import.meta.url).pathname;

interface Kill {
  /** A failpoint of the worker, or the type of an event that was committed. */
  readonly at: string;
  readonly after: number;
  readonly holdForMinutes?: number;
}

/** Has a host of its own process take the work, and waits until it was killed at its moment. */
async function killed(at: HostStage, request: DispatchRequest, kill: Kill): Promise<void> {
  await at.leave();
  const start = { home: at.home, env: at.stage.env, request, kill, ...kill };
  const child = spawn(process.execPath, [program, JSON.stringify(start)], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  await at.open();
}

describe('a host that is killed', () => {
  const moments: readonly (Kill & { readonly tags?: string[] })[] = [
    { at: 'committed', after: 1, tags: [] },
    { at: 'spawned', after: 1 },
    { at: 'user_message', after: 1 },
    { at: 'received', after: 2 },
    { at: 'committed', after: 4 },
    { at: 'acknowledged', after: 6 },
    { at: 'tool_end', after: 1 },
    { at: 'turn_complete', after: 1 },
  ];
  for (const { tags = ['full'], ...kill } of moments) {
    test(`at ${kill.at} ${kill.after} has its work ended by the next one, with nothing lost or doubled`, {
      tags,
    }, async () => {
      const at = await openHostStage();
      const text = '[[tool Bash {"command":"echo line >> lines"}]] [[next]] [[text Done.]]';
      const request = { text, workspace: { path: at.folder() }, permissions: 'autonomous' } as const;
      await killed(at, request, kill);

      const { dispatch, isNew } = await at.host.dispatches.submit(request, {
        actor: owner,
        idempotencyKey: 'work',
      });
      expect(isNew).toBe(false);
      const ended = await at.ended(dispatch);
      expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Done.' });
      expect(ended.attempts.map(({ runIds }) => runIds.length)).toEqual([1]);
      expect(at.modelHeard()).toEqual([text]);
      expect(at.toolResults().length).toBe(1);
      const events = await at.events(dispatch.threadId);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      const count = (type: string) => events.filter((event) => event.type === type).length;
      expect(
        ['run_started', 'user_message', 'result', 'dispatch_started', 'dispatch_ended'].map(count),
      ).toEqual([1, 1, 1, 1, 1]);
    });
  }

  test('between the record of a run and its process has used up no try of the work', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const request = { text: '[[text Done.]]', workspace: { path: at.folder() }, retries: 0 };
    await killed(at, request, { at: 'run_started', after: 1 });
    const { dispatch } = await at.host.dispatches.submit(request, { actor: owner, idempotencyKey: 'work' });
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Done.' });
    expect(ended.attempts.length).toBe(1);
    expect(at.modelHeard()).toEqual([request.text]);
  });

  test('while its agent asks finds the question as it was', async () => {
    const at = await openHostStage();
    const text = '[[ask Which? | A | B]] [[next]] [[text Thanks.]]';
    const request = { text, workspace: { path: at.folder() } };
    await killed(at, request, { at: 'prompt_asked', after: 1 });
    const { rows } = await at.host.prompts.list({ open: true });
    expect(rows).toMatchObject([{ state: 'pending', active: true, questions: [{ question: 'Which?' }] }]);
    const [prompt] = rows;
    if (!prompt) throw new Error('unreachable');
    await at.host.prompts.answer(prompt.id, { text: '2' }, owner);
    const { dispatch } = await at.host.dispatches.submit(request, { actor: owner, idempotencyKey: 'work' });
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which?"="B"')]);
  });

  for (const at of ['parked', 'run_ended']) {
    test(`at ${at}, with its agent let go, finds the question, and the answer wakes the agent`, {
      tags: ['full'],
    }, async () => {
      const stage = await openHostStage();
      const text = '[[ask Which? | A | B]] [[next]] [[text Thanks.]]';
      const request = { text, workspace: { path: stage.folder() } };
      await killed(stage, request, { at, after: 1, holdForMinutes: 0.005 });
      const { dispatch } = await stage.host.dispatches.submit(request, {
        actor: owner,
        idempotencyKey: 'work',
      });
      await stage.firstEvent(dispatch.threadId, 'run_ended');
      const prompt = await stage.asked(dispatch.threadId);
      await stage.host.prompts.answer(prompt.id, { text: '2' }, owner);
      const ended = await stage.ended(dispatch);
      expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
      expect(stage.toolResults()).toEqual([expect.stringContaining('"Which?"="B"')]);
      expect((await stage.host.prompts.list({ threadId: dispatch.threadId })).rows.length).toBe(1);
    });
  }
});
