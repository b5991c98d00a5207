import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash } from './prompting.js';
import { only, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const body = () => stage.simulator.modelRequests().at(-1)?.body as Record<string, unknown>;

describe('a command between and within turns', () => {
  it('[command set_model] [event model_changed] [command set_max_thinking_tokens] reach the model', async () => {
    await using runner = new Driver(stage, { args: ['--model', 'claude-sonnet-4-5'] });
    await runner.turn('[[text one]]');
    expect(body()['model']).toBe('claude-sonnet-4-5');

    runner.send({ type: 'set_max_thinking_tokens', maxThinkingTokens: 2048 });
    await runner.turn('[[text two]]');
    expect(body()['thinking']).toMatchObject({ type: 'enabled', budget_tokens: 2048 });

    // In the middle of a turn: the next request of the same turn goes to the other model.
    const pipe = join(stage.workspace, 'go');
    execFileSync('mkfifo', [pipe]);
    runner.message(`${bash('cat go')} [[next]] [[text three]]`);
    await runner.next('hook_pre_tool');
    runner.send({ type: 'set_model', model: 'claude-haiku-4-5' });
    expect(await runner.next('model_changed')).toMatchObject({ model: 'claude-haiku-4-5' });
    await writeFile(pipe, '');
    expect(textOf(await runner.until('turn_complete'))).toBe('three');
    await runner.turn('[[text four]]');
    expect(body()['model']).toBe('claude-haiku-4-5');
  });

  it('[command set_permission_mode] [event permission_mode_changed] changes who decides, also in a running turn', async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'default'] });
    await runner.turn('[[text one]]');
    runner.send({ type: 'set_permission_mode', permissionMode: 'bypassPermissions' });
    expect(await runner.next('permission_mode_changed')).toMatchObject({
      mode: 'bypassPermissions',
      source: 'command',
    });
    const free = await runner.turn(`${bash('node -e 1')} [[next]] [[text ran]]`);
    expect([textOf(free), only(free, 'permission_request')]).toEqual(['ran', []]);
    // The runtime's own report of the change is no second change.
    expect(only(free, 'permission_mode_changed')).toEqual([]);

    runner.send({ type: 'set_permission_mode', permissionMode: 'dontAsk' });
    await runner.next('permission_mode_changed');
    const denied = await runner.turn(`${bash('node -e 1')} [[next]] [[text denied]]`);
    expect(only(denied, 'tool_end').map(({ success }) => success)).toEqual([false]);

    runner.send({ type: 'set_permission_mode', permissionMode: 'default' });
    await runner.next('permission_mode_changed');
    runner.message(`${bash('node -e 1')} [[next]] ${bash('node -e 2')} [[next]] [[text freed]]`);
    const asked = await runner.next('permission_request');
    runner.send({ type: 'set_permission_mode', permissionMode: 'bypassPermissions' });
    await runner.next('permission_mode_changed');
    runner.send({ type: 'permission_response', permissionRequestId: asked.requestId, approved: true });
    const rest = await runner.until('turn_complete');
    expect([textOf(rest), only(rest, 'permission_request')]).toEqual(['freed', []]);

    runner.send({ type: 'set_permission_mode', permissionMode: 'yolo' });
    expect(await runner.next('command_error')).toMatchObject({ command: 'set_permission_mode' });
  });

  it('[command get_supported_models] [event supported_models] [command get_supported_commands] [event supported_commands] [command get_mcp_status] [event mcp_status] [command get_account_info] [event account_info] answer before the first message', async () => {
    await using runner = new Driver(stage);
    runner.send({ type: 'get_supported_models' });
    const { models } = await runner.next('supported_models');
    expect(models).toContainEqual(expect.objectContaining({ value: expect.any(String) }));
    runner.send({ type: 'get_supported_commands' });
    const { commands } = await runner.next('supported_commands');
    expect(commands).toContainEqual(expect.objectContaining({ name: 'compact' }));
    runner.send({ type: 'get_mcp_status' });
    const { servers } = await runner.next('mcp_status');
    expect(servers).toEqual([expect.objectContaining({ name: 'handraise', status: 'connected' })]);
    runner.send({ type: 'get_account_info' });
    const { info } = await runner.next('account_info');
    expect(info).toMatchObject({ apiKeySource: 'ANTHROPIC_API_KEY' });
  });

  it('[event command_error] refuses what needs another launch', async () => {
    await using runner = new Driver(stage, {
      args: ['--permission-mode', 'default'],
      env: { IS_SANDBOX: undefined },
    });
    runner.send({ type: 'park', requestId: 'req_1' });
    expect(await runner.next('command_error')).toMatchObject({ command: 'park' });
    runner.send({ type: 'rewind_files', checkpointUuid: '00000000-0000-4000-8000-000000000000' });
    expect(await runner.next('command_error')).toMatchObject({
      command: 'rewind_files',
      error: expect.stringContaining('--enable-checkpointing'),
    });
    if (process.getuid?.() !== 0) return;
    runner.send({ type: 'set_permission_mode', permissionMode: 'bypassPermissions' });
    expect(await runner.next('command_error')).toMatchObject({
      command: 'set_permission_mode',
      error: expect.stringContaining('IS_SANDBOX'),
    });
  });
});
