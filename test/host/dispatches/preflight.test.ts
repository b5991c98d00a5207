import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHostStage, owner, refusal } from '../host-stage.js';

const text = '[[text Done.]]';

describe('work is refused before it takes a place', () => {
  test('where nobody is signed in, and begins once somebody is', async () => {
    const at = await openHostStage();
    const { ANTHROPIC_API_KEY = '', ANTHROPIC_BASE_URL = '', ...others } = at.stage.env;
    await at.leave();
    for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']) delete at.stage.env[name];
    await at.open();
    expect(await refusal(at.work(text))).toMatchObject({
      code: 'no_permission',
      message: expect.stringMatching(/^Claude Code is not signed in: .*"claude \/login"/),
    });
    expect((await at.store.query('dispatches', {})).rows).toEqual([]);
    await at.leave();
    Object.assign(at.stage.env, others, { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL });
    await at.open();
    expect((await at.done(text)).outcome).toMatchObject({ result: 'succeeded' });
  });

  test('where a server that it names is not there, with all else that is wrong', async () => {
    const at = await openHostStage();
    const posture = {
      env: { ANTHROPIC_BASE_URL: 'https://model.invalid', HTTPS_PROXY: 'http://127.0.0.1:9' },
      mcpServers: { tracker: { command: 'no-such-program' } },
    };
    const said = await refusal(at.work(text, { posture }));
    expect(said).toMatchObject({ code: 'config' });
    expect(said.message).toMatch(/^The MCP server "tracker" cannot be started: .*HTTPS_PROXY names/s);
  });
});

test('a project that OpenCode would not start in ends its work before a process is started', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage({}, 'opencode');
  const path = at.folder();
  writeFileSync(join(path, 'opencode.json'), '{}');
  const dispatch = await at.work(text, { workspace: { path } });
  const { outcome, attempts } = await at.ended(dispatch);
  expect(outcome).toMatchObject({ exitCode: 77, reason: 'no_permission', retriable: false });
  expect(attempts.length).toBe(1);
  expect((await at.events(dispatch.threadId)).map(({ type }) => type)).not.toContain('run_started');
});

test('a program that cannot be executed is one failed try, and not three crashes', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage({}, 'codex');
  const broken = join(at.stage.home, 'codex');
  writeFileSync(broken, 'no program\0');
  chmodSync(broken, 0o755);
  await at.leave();
  Object.assign(at.stage.env, { HANDRAISE_CODEX: broken });
  await at.open();
  const { outcome, attempts } = await at.done(text);
  expect(outcome).toMatchObject({ exitCode: 69, reason: 'not_installed' });
  expect(outcome?.summary).toContain('Install it again');
  expect(attempts.length).toBe(1);
});

test('a workspace that went away while its work waited is said, and the next turn of a live agent is not looked at', {
  tags: ['full'],
}, async () => {
  const at = await openHostStage({ slots: 1 });
  const path = at.folder();
  const first = await at.work('[[tool Bash {"command":"sleep 1"}]] [[text One.]]', {
    posture: { permissionMode: 'bypassPermissions' },
  });
  const waiting = await at.work(text, { workspace: { path } });
  rmSync(path, { recursive: true });
  expect((await at.ended(waiting)).outcome).toMatchObject({ exitCode: 66, reason: 'missing_file' });
  await at.ended(first);
  // The agent lives, and works on as it is.
  mkdirSync(path);
  const { dispatch } = await at.host.dispatches.submit({ text, thread: first.threadId }, { actor: owner });
  expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded' });
});
