import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { LinearStub } from '../workspace-tools/linear-stub.js';
import { Driver } from './driver.js';
import { tool } from './prompting.js';
import { first } from './stable.js';

let stage: Stage;
let runner: Driver;
let cwd: string;
beforeAll(async () => {
  stage = await openStage('claude');
  cwd = stage.workspace;
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'a@example.com');
  git('config', 'user.name', 'A');
  await writeFile(join(cwd, 'a.txt'), 'one\n');
  await mkdir(join(cwd, '.handraise'));
  await writeFile(join(cwd, '.handraise', 'config.json'), '{"setupScripts":[],"runScripts":{}}');
  git('add', '.');
  git('commit', '-q', '-m', 'Begin');
  git('checkout', '-q', '-b', 'work');
  await writeFile(join(cwd, 'a.txt'), 'one\ntwo\n');
  runner = new Driver(stage, {
    args: ['--linear-issue', 'LIN-123', '--target-branch', 'main', '--conversation-id', 'conv-1'],
  });
});
afterAll(async () => {
  await runner[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}

/** Lets the model call a built-in tool, and gives what the model was told. */
async function call(name: string, input: Record<string, unknown> = {}, on = runner): Promise<unknown> {
  const turn = await on.turn(`${tool(`mcp__handraise__${name}`, input)} [[next]] [[text ok]]`);
  expect(first(turn, 'tool_end')).toMatchObject({ tool: `mcp__handraise__${name}`, success: true });
  return JSON.parse(stage.simulator.toolResults().at(-1)?.text ?? '');
}

describe('the built-in tools', () => {
  it('[tool get_session_status] [arg --linear-issue] [arg --target-branch] says where the agent is', async () => {
    const status = await call('get_session_status');
    expect(status).toMatchObject({
      workspace: cwd,
      conversationId: 'conv-1',
      sessionId: first(runner.events, 'session_id_update').sessionId,
      targetBranch: 'main',
      git: { branch: 'work', compared: { with: expect.stringContaining('main'), ahead: 0, behind: 0 } },
      issue: { id: 'LIN-123' },
    });
  });

  it('[tool get_workspace_diff] shows a summary or all of it', async () => {
    expect(await call('get_workspace_diff')).toMatchObject({ totals: { added: 1, removed: 0 } });
    const full = await call('get_workspace_diff', { mode: 'full', file: 'a.txt' });
    expect(full).toMatchObject({ diff: expect.stringContaining('+two') });
  });

  it('[tool get_recent_activity] lists commits', async () => {
    expect(await call('get_recent_activity', { limit: 1 })).toMatchObject({
      commits: [{ subject: 'Begin' }],
    });
  });

  it('[tool add_review_comment] [tool list_review_comments] [tool get_review_comment_stats] keep comments out of git status', async () => {
    await call('add_review_comment', { file: 'a.txt', line: 2, body: 'Why two?' });
    expect(await call('list_review_comments', { file: 'a.txt' })).toMatchObject({
      comments: [{ file: 'a.txt', line: 2, body: 'Why two?' }],
    });
    expect(JSON.stringify(await call('get_review_comment_stats'))).toContain('a.txt');
    expect(git('status', '--porcelain')).toBe(' M a.txt\n');
  });

  it('[tool get_linear_context] [tool update_linear_status] work without a key', async () => {
    expect(JSON.stringify(await call('get_linear_context'))).toContain('LIN-123');
    expect(await call('update_linear_status', { status: 'In Review' })).toMatchObject({ localOnly: true });
  });

  it('[tool get_linear_context] asks Linear when there is a key', async () => {
    await using linear = await LinearStub.saying(200, {
      data: { issue: { identifier: 'LIN-123', title: 'Fix the lid' } },
    });
    await using keyed = new Driver(stage, {
      args: ['--linear-issue', 'LIN-123'],
      env: { LINEAR_API_KEY: 'key', LINEAR_API_URL: linear.url },
    });
    expect(JSON.stringify(await call('get_linear_context', {}, keyed))).toContain('LIN-123');
    expect(linear.seen.map(({ headers }) => headers.authorization)).toEqual(['key']);
  });

  it('[tool get_workspace_scripts_config] [tool propose_scripts_config] read, and write what a person approves', async () => {
    expect(JSON.stringify(await call('get_workspace_scripts_config'))).toContain('setupScripts');
    const proposal = { setupScripts: [{ name: 'install', command: 'npm ci' }] };
    for (const approved of [false, true]) {
      runner.message(`${tool('mcp__handraise__propose_scripts_config', proposal)} [[next]] [[text ok]]`);
      const asked = await runner.until('permission_request');
      const { requestId: permissionRequestId, toolUseId, ...request } = first(asked, 'permission_request');
      expect(toolUseId).toBe(first(asked, 'tool_start').id);
      expect(request).toMatchObject({ tool: 'propose_scripts_config', onlyPerson: true });
      expect(git('status', '--porcelain', '.handraise')).toBe('');
      runner.send({ type: 'permission_response', permissionRequestId, approved });
      await runner.until('turn_complete');
    }
    expect(git('status', '--porcelain', '.handraise')).toBe(' M .handraise/config.json\n');
  });

  it('[tool start_linear_issue] makes the branch', async () => {
    const started = await call('start_linear_issue', { title: 'Fix the lid' });
    expect(git('branch', '--show-current').trim()).toBe((started as { branch: string }).branch);
    expect(git('branch', '--show-current')).toMatch(/lin-123.*lid/i);
  });

  it('stay inside the workspace', async () => {
    const turn = await runner.turn(
      `${tool('mcp__handraise__add_review_comment', { file: '../../outside.txt', line: 1, body: 'x' })} [[next]] [[text ok]]`,
    );
    expect(first(turn, 'tool_end').success).toBe(false);
    expect(existsSync(join(cwd, '..', 'outside.txt'))).toBe(false);
  });
});
