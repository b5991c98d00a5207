import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

/** The models that were asked for our work, in order; the agent itself tries a new model with a word of its own. */
function models(at: HostStage): string[] {
  return at.stage.simulator
    .modelRequests()
    .flatMap(({ conversation, decision }) =>
      conversation && decision?.from === 'prompt' ? [conversation.model] : [],
    );
}

describe('a change of a running agent', () => {
  test('of its model is recorded with its actor, used at once, and used by the run that resumes it', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { threadId: thread } = await at.done('[[text One.]]', { posture: { model: 'claude-sonnet-4-5' } });
    await at.host.threads.setModel(thread, 'claude-haiku-4-5', 'user:phone');
    expect(await at.events(thread, 'posture_amended')).toMatchObject([
      { posture: { model: 'claude-haiku-4-5' }, actor: 'user:phone' },
    ]);
    await at.done('[[text Two.]]', { thread });
    await at.host.threads.stop(thread, owner);
    await at.done('[[text Three.]]', { thread });
    expect(models(at)).toEqual(['claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-haiku-4-5']);

    const { rows } = await at.store.query('runs', { threadId: thread, order: 'oldest_first' });
    expect(rows.map(({ posture, amendments }) => ({ model: posture.model, amendments }))).toEqual([
      {
        model: 'claude-sonnet-4-5',
        amendments: [{ posture: { model: 'claude-haiku-4-5' }, actor: 'user:phone', at: expect.any(String) }],
      },
      { model: 'claude-haiku-4-5', amendments: [] },
    ]);
  });

  test('of its permission mode holds for what it does next, and after a crash too', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const write = (name: string) =>
      `[[tool Write {"file_path":"${join(path, name)}","content":"x"}]] [[next]] [[text Wrote ${name}.]]`;
    const first = await at.work(write('a'), { workspace: { path } });
    const { threadId } = first;
    const prompt = await at.asked(threadId);
    await at.host.prompts.answer(prompt.id, { text: 'yes' }, owner);
    await at.ended(first);

    await at.host.threads.setPermissionMode(threadId, 'acceptEdits', owner);
    expect((await at.done(write('b'), { thread: threadId })).outcome?.result).toBe('succeeded');
    await at.status(threadId, 'idle');
    await at.kill('agent');
    await at.status(threadId, 'crashed');
    expect((await at.done(write('c'), { thread: threadId })).outcome?.result).toBe('succeeded');
    expect((await at.host.prompts.list({ threadId })).rows.length).toBe(1);
    expect(['a', 'b', 'c'].map((name) => existsSync(join(path, name)))).toEqual([true, true, true]);
    expect(await at.events(threadId, 'posture_amended')).toMatchObject([
      { posture: { permissionMode: 'acceptEdits' }, actor: owner },
    ]);
  });

  test('to a mode that does not go with the permissions of the thread is refused', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { threadId } = await at.done('[[text One.]]');
    for (const mode of ['bypassPermissions', 'dontAsk'] as const) {
      expect(await refusal(at.host.threads.setPermissionMode(threadId, mode, owner))).toMatchObject({
        code: 'invalid',
      });
    }
    expect(await at.events(threadId, 'posture_amended')).toEqual([]);
  });

  test('needs a running agent, and says so', async () => {
    const at = await openHostStage();
    const workspace = { path: at.folder() };
    const { id } = await at.host.threads.create({ runtime: 'claude', workspace, posture: {} }, owner);
    const acts = [
      async () => await at.host.threads.setModel(id, 'claude-haiku-4-5', owner),
      async () => await at.host.threads.setPermissionMode(id, 'plan', owner),
      async () => await at.host.threads.rewind(id, 'x', owner),
    ];
    for (const act of acts) {
      expect(await refusal(act())).toEqual({ code: 'conflict', message: expect.stringContaining(id) });
    }
  });
});

describe('an interrupt', () => {
  test('cancels the turn, with its prompt; the agent stays', async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B]]');
    const prompt = await at.asked(dispatch.threadId);
    await at.host.threads.interrupt(dispatch.threadId, owner);
    expect(await at.prompt(prompt)).toMatchObject({ state: 'cancelled', reason: 'turn_cancelled' });
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({
      result: 'cancelled',
      exitCode: 130,
      execution: { kind: 'cancelled' },
    });
    expect(await at.status(dispatch.threadId, 'idle')).toMatchObject({ state: 'idle' });
    const next = await at.done('[[text Next.]]', { thread: dispatch.threadId });
    expect(next.attempts[0]?.runIds).toEqual(ended.attempts[0]?.runIds);
  });

  test('of an idle agent changes nothing', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const ended = await at.done('[[text One.]]');
    await at.status(ended.threadId, 'idle');
    const before = await at.host.threads.get(ended.threadId);
    expect(await at.host.threads.interrupt(ended.threadId, owner)).toEqual(before);
  });
});

describe('a rewind', () => {
  test('puts the files back as they were', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const file = join(path, 'file.txt');
    writeFileSync(file, 'before\n');
    const edit = `[[tool Read {"file_path":"${file}"}]] [[next]] [[tool Write {"file_path":"${file}","content":"after"}]] [[next]] [[text Done.]]`;
    const { threadId } = await at.done(edit, {
      workspace: { path },
      permissions: 'autonomous',
      posture: { checkpointing: true },
    });
    await at.status(threadId, 'idle');
    expect(readFileSync(file, 'utf8')).toBe('after');
    const [checkpoint] = await at.events(threadId, 'checkpoint_created');
    const checkpointUuid = String(checkpoint?.checkpointUuid);
    await at.host.threads.rewind(threadId, checkpointUuid, owner);
    // Not later: whoever asked for it may look at once.
    expect(readFileSync(file, 'utf8')).toBe('before\n');
    expect(await at.events(threadId, 'files_rewound')).toMatchObject([{ checkpointUuid, success: true }]);

    const unknown = refusal(at.host.threads.rewind(threadId, 'no such checkpoint', owner));
    expect(await unknown).toMatchObject({
      code: 'conflict',
      message: 'There is no such checkpoint in this session.',
    });
  });
});
