import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../../src/protocol/event.js';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, tool } from './prompting.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const node = (marker: string) => `node -e "require('fs').writeFileSync('${marker}','')"`;
const file = (name: string) => join(stage.workspace, name);
const write = (name: string, content = 'new') => tool('Write', { file_path: file(name), content });

describe('a permission', () => {
  it('[arg --permission-mode] [mode default] [event permission_request] [command permission_response] is asked once, edited, refused or given for the thread', async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'default'] });

    // Once.
    runner.message(`${bash(node('once'))} [[next]] [[text One.]]`);
    const seen = await runner.until('permission_request');
    const request = first(seen, 'permission_request');
    expect(request).toEqual({
      type: 'permission_request',
      requestId: expect.stringMatching(/^req_/),
      tool: 'Bash',
      input: { command: node('once') },
      toolUseId: first(seen, 'tool_start').id,
      suggestions: expect.any(Array),
      timestamp: expect.any(String),
    });
    expect(existsSync(file('once'))).toBe(false);
    runner.send({ type: 'permission_response', permissionRequestId: 'req_other', approved: true });
    runner.send({ type: 'permission_response', permissionRequestId: request.requestId });
    runner.send({ type: 'permission_response', permissionRequestId: request.requestId, approved: true });
    runner.send({ type: 'permission_response', permissionRequestId: request.requestId, approved: false });
    const once = await runner.until('turn_complete');
    expect(only(once, 'command_error').map(({ requestId }) => requestId)).toEqual([
      'req_other',
      undefined,
      request.requestId,
    ]);
    expect([textOf(once), existsSync(file('once'))]).toEqual(['One.', true]);

    // An approval for once is not one for the next time; a refusal tells the model the message.
    runner.message(`${bash(node('once'))} [[next]] [[text No.]]`);
    const again = await runner.next('permission_request');
    runner.send({
      type: 'permission_response',
      permissionRequestId: again.requestId,
      approved: false,
      message: 'Not on a Friday.',
    });
    const refused = await runner.until('turn_complete');
    expect(only(refused, 'tool_end').map(({ success, summary }) => [success, summary])).toEqual([
      [false, 'Not on a Friday.'],
    ]);
    expect(stage.simulator.toolResults().at(-1)).toMatchObject({ text: 'Not on a Friday.', isError: true });
    expect(first(refused, 'result').denials).toEqual([
      { tool: 'Bash', toolUseId: first(refused, 'tool_end').id },
    ]);

    // Edited input is what runs.
    runner.message(`${write('draft.txt', 'theirs')} [[next]] [[text Edited.]]`);
    const edit = await runner.next('permission_request');
    expect(edit).toMatchObject({ tool: 'Write', input: { file_path: file('draft.txt'), content: 'theirs' } });
    runner.send({
      type: 'permission_response',
      permissionRequestId: edit.requestId,
      approved: true,
      updatedInput: { file_path: file('draft.txt'), content: 'ours' },
    });
    const edited = await runner.until('turn_complete');
    expect(readFileSync(file('draft.txt'), 'utf8')).toBe('ours');
    expect(first(edited, 'tool_end').ranWith).toEqual({ file_path: file('draft.txt'), content: 'ours' });

    // For the thread: the same command is not asked again, another one is.
    runner.message(`${bash(node('thread'))} [[next]] [[text Thread.]]`);
    const wide = await runner.next('permission_request');
    runner.send({
      type: 'permission_response',
      permissionRequestId: wide.requestId,
      approved: true,
      scope: 'thread',
    });
    await runner.until('turn_complete');
    const repeat = await runner.turn(`${bash(node('thread'))} [[next]] [[text Again.]]`);
    expect([textOf(repeat), only(repeat, 'permission_request')]).toEqual(['Again.', []]);
    runner.message(`${bash(node('elsewhere'))} [[next]] [[text Other.]]`);
    const other = await runner.next('permission_request');
    runner.send({ type: 'permission_response', permissionRequestId: other.requestId, approved: false });
    await runner.until('turn_complete');
    expect(existsSync(file('elsewhere'))).toBe(false);
  });

  it('grants for the thread exactly what was shown, not what begins alike or names the same file', {
    tags: ['full'],
  }, async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'default'] });
    const asked = async (call: string, approved: boolean) => {
      runner.message(`${call} [[next]] [[text Went on.]]`);
      const { requestId } = await runner.next('permission_request');
      const scope = approved ? { scope: 'thread' } : {};
      runner.send({ type: 'permission_response', permissionRequestId: requestId, approved, ...scope });
      await runner.until('turn_complete');
    };
    await asked(bash('git push origin feature'), true);
    await asked(bash('git push --force origin main'), false);
    await asked(bash('git push origin feature --force'), false);
    await asked(bash('docker run alpine true'), true);
    await asked(bash('docker run -v /:/h alpine true'), false);
    await asked(bash('git push origin feature', { run_in_background: true }), false);
    await asked(write('grant.txt', 'shown'), true);
    await asked(write('grant.txt', 'other'), false);
    expect(readFileSync(file('grant.txt'), 'utf8')).toBe('shown');
    const again = await runner.turn(
      `${bash('git push origin feature', { description: 'Says something else' })} [[next]] [[text Again.]]`,
    );
    expect([textOf(again), only(again, 'permission_request')]).toEqual(['Again.', []]);
  });

  it('[mode acceptEdits] takes edits and asks for the rest', async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'acceptEdits'] });
    const edits = await runner.turn(`${write('accepted.txt')} [[next]] [[text Written.]]`);
    expect([only(edits, 'permission_request'), readFileSync(file('accepted.txt'), 'utf8')]).toEqual([
      [],
      'new',
    ]);
    runner.message(`${bash(node('asked'))} [[next]] [[text Ran.]]`);
    const asked = await runner.next('permission_request');
    runner.send({ type: 'permission_response', permissionRequestId: asked.requestId, approved: true });
    await runner.until('turn_complete');
    expect(existsSync(file('asked'))).toBe(true);
  });

  it('[mode plan] asks for writes and commands while planning', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'plan'] });
    for (const call of [write('planned.txt'), bash(node('planned'))]) {
      runner.message(`${call} [[next]] [[text Planned.]]`);
      const asked = await runner.next('permission_request');
      runner.send({ type: 'permission_response', permissionRequestId: asked.requestId, approved: true });
      await runner.until('turn_complete');
    }
    expect([existsSync(file('planned.txt')), existsSync(file('planned'))]).toEqual([true, true]);
  });

  it('[mode dontAsk] denies without asking; [mode bypassPermissions] runs without asking', {
    tags: ['full'],
  }, async () => {
    await using quiet = new Driver(stage, { args: ['--permission-mode', 'dontAsk'] });
    const denied = await quiet.turn(
      `${bash(node('denied'))} ${write('denied.txt')} [[next]] [[text Denied.]]`,
    );
    expect(only(denied, 'permission_request')).toEqual([]);
    expect(only(denied, 'tool_end').map(({ success }) => success)).toEqual([false, false]);
    expect([existsSync(file('denied')), existsSync(file('denied.txt'))]).toEqual([false, false]);

    await writeFile(file('old.txt'), 'old');
    await using free = new Driver(stage);
    const ran = await free.turn(`${bash(node('free'))} ${write('free.txt')} [[next]] [[text Free.]]`);
    expect(only(ran, 'permission_request')).toEqual([]);
    expect([existsSync(file('free')), existsSync(file('free.txt'))]).toEqual([true, true]);
  });

  it('is withdrawn when the input ends', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'default'] });
    runner.message(`${bash(node('nobody'))} [[next]] [[text Over.]]`);
    await runner.next('permission_request');
    runner.closeInput();
    const { code } = await runner.end();
    expect([code, existsSync(file('nobody'))]).toEqual([0, false]);
    expect(stage.simulator.toolResults().at(-1)?.text).toContain('Nobody answered');
  });

  it('[event agent_notification] tells that a person is waited for', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'default'] });
    runner.message(`${bash(node('slow'))} [[next]] [[text Late.]]`);
    const { requestId } = await runner.next('permission_request');
    const notice = await runner.next('agent_notification');
    expect(notice).toMatchObject({ notificationType: 'permission_prompt', message: expect.any(String) });
    runner.send({ type: 'permission_response', permissionRequestId: requestId, approved: false });
    await runner.until('turn_complete');
  });

  it('carries the agent that asks', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'default'] });
    const { turn, asked } = await answeringOnce(runner);
    expect(asked.agentId).toBe(first(turn, 'subagent_started').agentId);
  });
});

async function answeringOnce(runner: Driver): Promise<{ turn: Event[]; asked: Event<'permission_request'> }> {
  runner.message(
    `${tool('Agent', {
      description: 'child',
      subagent_type: 'general-purpose',
      run_in_background: false,
      prompt: `<<tool Bash ${JSON.stringify({ command: node('child') })}>> <<next>> <<text child done>>`,
    })} [[next]] [[text parent done]]`,
  );
  const before = await runner.until('permission_request');
  const asked = first(before, 'permission_request');
  runner.send({ type: 'permission_response', permissionRequestId: asked.requestId, approved: true });
  return { turn: [...before, ...(await runner.until('turn_complete'))], asked };
}
