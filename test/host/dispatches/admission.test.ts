import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import type { FailureCode } from '../../../src/protocol/failure.js';
import { DispatchId, PromptId, ThreadId } from '../../../src/protocol/id.js';
import { openHostStage, owner, refusal } from '../host-stage.js';

const sentence = /^[A-Za-z"].*\.$/;

describe('a request', () => {
  test('that cannot work is refused before anything is stored, with its code and a sentence', async () => {
    const at = await openHostStage();
    const path = at.folder();
    const file = join(path, 'file');
    writeFileSync(file, '');
    const cases: readonly [Partial<DispatchRequest>, FailureCode, string][] = [
      [{}, 'invalid', 'workspace'],
      [{ workspace: { path: join(path, 'nowhere') } }, 'missing_file', 'nowhere'],
      [{ workspace: { path: 'work' } }, 'invalid', 'absolute'],
      [{ workspace: { path: file } }, 'invalid', 'folder'],
      [{ workspace: { path, branch: 'mine' } }, 'invalid', 'branch'],
      [{ workspace: { path }, runtime: 'codex', budget: { usd: 1 } }, 'unsupported_by_runtime', 'in tokens'],
      [
        { workspace: { path }, runtime: 'exec', posture: { command: 'true' }, budget: { tokens: 1 } },
        'unsupported_by_runtime',
        'does not tell what it uses',
      ],
      [{ workspace: { path }, posture: { memoryLimit: '1M' } }, 'invalid', 'memoryLimit'],
      [{ workspace: { path }, posture: { memoryLimit: 'much' } }, 'invalid', 'memoryLimit'],
      [{ workspace: { path }, posture: { env: { HANDRAISE_HOME: '/' } } }, 'invalid', 'HANDRAISE_HOME'],
      [
        { workspace: { path }, runtime: 'exec', posture: { command: 'echo \0' } },
        'invalid',
        'posture.command',
      ],
      [{ workspace: { path }, posture: { env: { A: 'b\0' } } }, 'invalid', 'posture.env.A'],
      [{ workspace: { path }, verify: 'true \0' }, 'invalid', 'verify holds the character NUL'],
      [
        { workspace: { path }, permissions: 'approval', posture: { permissionMode: 'dontAsk' } },
        'invalid',
        'dontAsk',
      ],
      [
        { workspace: { path }, permissions: 'approval', posture: { permissionMode: 'bypassPermissions' } },
        'invalid',
        'bypassPermissions',
      ],
      [
        { workspace: { path }, permissions: 'autonomous', posture: { permissionMode: 'acceptEdits' } },
        'invalid',
        'acceptEdits',
      ],
      [
        { workspace: { path }, permissions: 'autonomous', posture: { permissionMode: 'default' } },
        'invalid',
        'default',
      ],
      [{ thread: ThreadId.parse('thr_01m7h1cbkdh9xwnk723q2k2szn') }, 'not_found', 'thr_'],
    ];
    for (const [request, code, word] of cases) {
      const refused = await refusal(
        at.host.dispatches.submit({ text: 'Do it.', ...request }, { actor: owner }),
      );
      expect({ request, ...refused }).toEqual({ request, code, message: expect.stringContaining(word) });
      expect(refused.message).toMatch(sentence);
    }
    expect(await at.host.threads.list({})).toMatchObject({ rows: [] });
    expect(await at.host.dispatches.list({})).toMatchObject({ rows: [] });
  });

  test('to a thread cannot change what the thread was made with', async () => {
    const at = await openHostStage();
    const path = at.folder();
    const thread = await at.host.threads.create(
      { runtime: 'claude', workspace: { path }, posture: {} },
      owner,
    );
    const changes: Partial<DispatchRequest>[] = [
      { workspace: { path } },
      { runtime: 'claude' },
      { permissions: 'autonomous' },
      { posture: { model: 'other' } },
    ];
    for (const change of changes) {
      const refused = await refusal(at.work('Do it.', { thread: thread.id, ...change }));
      expect(refused).toEqual({
        code: 'invalid',
        message: expect.stringContaining(Object.keys(change)[0] ?? '?'),
      });
    }
  });

  test('in which only a mode is given takes the permissions that go with it', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.done(
      '[[tool Bash {"command":"echo made > made.txt"}]] [[next]] [[text Done.]]',
      {
        posture: { permissionMode: 'bypassPermissions' },
      },
    );
    expect(dispatch.outcome).toMatchObject({ result: 'succeeded' });
    expect((await at.host.prompts.list({ threadId: dispatch.threadId })).rows).toEqual([]);
  });

  test('for what is not there is not found', async () => {
    const at = await openHostStage();
    const dispatch = DispatchId.parse('dsp_01m7h1cbkdh9xwnk723q2k2szn');
    const thread = ThreadId.parse('thr_01m7h1cbkdh9xwnk723q2k2szn');
    const prompt = PromptId.parse('prm_01m7h1cbkdh9xwnk723q2k2szn');
    const item = { content: [{ type: 'text' as const, text: 'Hello.' }] };
    const acts: readonly [string, Promise<unknown>][] = [
      [dispatch, at.host.dispatches.get(dispatch)],
      [dispatch, at.host.dispatches.ended(dispatch, AbortSignal.abort())],
      [dispatch, at.host.dispatches.cancel(dispatch, owner)],
      [dispatch, at.host.dispatches.retry(dispatch, owner)],
      [thread, at.host.threads.get(thread)],
      [thread, at.host.threads.items(thread, {})],
      [thread, at.host.threads.events(thread, {})],
      [thread, at.host.threads.statusLog(thread, {})],
      [thread, at.host.threads.diff(thread)],
      [thread, at.host.threads.post(thread, item, owner)],
      [thread, at.host.threads.interrupt(thread, owner)],
      [thread, at.host.threads.stop(thread, owner)],
      [thread, at.host.threads.setModel(thread, 'sim', owner)],
      [thread, at.host.threads.setPermissionMode(thread, 'plan', owner)],
      [thread, at.host.threads.rewind(thread, 'x', owner)],
      [thread, at.host.threads.removeWorktree(thread, { force: false, actor: owner })],
      [prompt, at.host.prompts.get(prompt)],
      [prompt, at.host.prompts.answer(prompt, { text: 'yes' }, owner)],
      [prompt, at.host.prompts.cancel(prompt, { actor: owner })],
      [prompt, at.host.prompts.answerLike(prompt, { text: 'yes' }, owner)],
    ];
    const refusals = await Promise.all(acts.map(async ([, act]) => await refusal(act)));
    expect(refusals).toEqual(
      acts.map(([id]) => ({ code: 'not_found', message: expect.stringContaining(id) })),
    );
  });

  test('whose workspace has gone by the time it runs fails with the reason, without trying again', async () => {
    const at = await openHostStage();
    const path = at.folder();
    const notBefore = new Date(Date.now() + 1500).toISOString();
    const dispatch = await at.work('[[text Never.]]', { workspace: { path }, notBefore });
    rmSync(path, { recursive: true });
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'failed', exitCode: 66, retriable: false });
    expect(ended.outcome?.summary).toContain(path);
  });
});
