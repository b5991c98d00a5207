import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash } from './prompting.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
let sessionId: string;
beforeAll(async () => {
  stage = await openStage('claude');
  await using runner = new Driver(stage);
  const turn = await runner.turn('[[text The secret word is heliotrope.]]');
  ({ sessionId } = first(turn, 'turn_complete'));
  runner.closeInput();
  await runner.end();
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const request = () => stage.simulator.modelRequests().at(-1);
const lastConversation = () => JSON.stringify(request()?.conversation?.entries);
const body = () => request()?.body as Record<string, unknown>;

describe('a launch', () => {
  it('[arg --resume] goes on with the same session, [arg --fork] with a copy of it', async () => {
    await using resumed = new Driver(stage, { args: ['--resume', sessionId] });
    expect(await resumed.next('ready')).toMatchObject({ resuming: true });
    const turn = await resumed.turn('[[text I remember.]]');
    expect(first(turn, 'turn_complete').sessionId).toBe(sessionId);
    expect(lastConversation()).toContain('heliotrope');
    resumed.closeInput();
    await resumed.end();

    await using forked = new Driver(stage, { args: ['--resume', sessionId, '--fork'] });
    const other = first(await forked.turn('[[text So do I.]]'), 'turn_complete').sessionId;
    expect(other).not.toBe(sessionId);
    expect(lastConversation()).toContain('heliotrope');
  });

  it('[arg --resume] takes a message again that the session knows by its uuid', {
    tags: ['full'],
  }, async () => {
    const uuid = '00000000-0000-4000-8000-000000000001';
    await using before = new Driver(stage);
    const { sessionId: id } = first(await before.turn('[[text one]]', { uuid }), 'turn_complete');
    before.closeInput();
    await before.end();
    await using after = new Driver(stage, { args: ['--resume', id] });
    after.message('[[text two]]', { uuid });
    expect(textOf(await after.turn('[[text three]]'))).toMatch(/two|three/);
  });

  it('[arg --resume] of an unknown session says so and exits 1', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--resume', '00000000-0000-4000-8000-00000000dead'] });
    runner.message('hello');
    runner.closeInput();
    const { code, last } = await runner.end();
    expect(code).toBe(1);
    expect(only(last, 'error')[0]?.message).toContain('00000000-0000-4000-8000-00000000dead');
    expect(last.at(-1)?.type).toBe('shutdown');
  });

  it('[arg --cwd] [arg --conversation-id] [arg --runtime] place it', { tags: ['full'] }, async () => {
    const cwd = join(stage.workspace, 'with space');
    await mkdir(cwd);
    await using runner = new Driver(stage, {
      args: ['--cwd', 'with space', '--conversation-id', 'conv-7', '--runtime', 'claude'],
    });
    expect(await runner.next('ready')).toMatchObject({ cwd, conversationId: 'conv-7', runtime: 'claude' });
    const turn = await runner.turn(`${bash('pwd')} [[next]] [[text There.]]`);
    expect(first(turn, 'session_started').cwd).toBe(cwd);
    expect(first(turn, 'tool_end').summary).toBe(cwd);
  });

  it('[arg --model] [arg --instructions-file] [arg --betas] [arg --max-thinking-tokens] reach the model', async () => {
    await writeFile(join(stage.workspace, 'extra.md'), 'Always answer in verse.');
    await using runner = new Driver(stage, {
      args: '--model claude-sonnet-4-5 --instructions-file extra.md --betas context-1m-2025-08-07 --max-thinking-tokens 3000'.split(
        ' ',
      ),
    });
    expect(await runner.next('ready')).toMatchObject({ model: 'claude-sonnet-4-5' });
    const turn = await runner.turn('[[text Verse.]]');
    expect(first(turn, 'init')).toMatchObject({
      model: 'claude-sonnet-4-5',
      betas: ['context-1m-2025-08-07'],
      budgetConfig: { maxThinkingTokens: 3000 },
    });
    expect(body()).toMatchObject({
      model: 'claude-sonnet-4-5',
      thinking: { type: 'enabled', budget_tokens: 3000 },
    });
    expect(request()?.conversation?.system).toContain('Always answer in verse.');
    expect(request()?.headers['anthropic-beta']).toContain('context-1m-2025-08-07');
    // The claude_code preset is there too, not just what was appended.
    expect(request()?.conversation?.system.length).toBeGreaterThan(2000);
  });

  it('[arg --fallback-model] answers while the first is overloaded', { tags: ['full'] }, async () => {
    stage.simulator.setScript({
      replies: [{ when: { model: 'claude-opus-4-5' }, fault: { kind: 'error', status: 529, times: 50 } }],
    });
    await using runner = new Driver(stage, {
      args: ['--model', 'claude-opus-4-5', '--fallback-model', 'claude-haiku-4-5'],
    });
    const turn = await runner.turn('[[text From the other one.]]');
    stage.simulator.setScript({ replies: [] });
    expect(textOf(turn)).toBe('From the other one.');
    expect(body()['model']).toBe('claude-haiku-4-5');
    expect(only(turn, 'warning').length).toBeGreaterThan(0);
  });

  it('[arg --max-turns] [arg --max-budget-usd] end a turn with a result that says why', {
    tags: ['full'],
  }, async () => {
    await using turns = new Driver(stage, { args: ['--max-turns', '1', '--max-budget-usd', '5'] });
    const limited = await turns.turn(`${bash('echo 1')} [[next]] ${bash('echo 2')} [[next]] [[text never]]`);
    expect(first(limited, 'init').budgetConfig).toEqual({ maxTurns: 1, maxBudgetUsd: 5 });
    expect(first(limited, 'result')).toMatchObject({
      success: false,
      subtype: 'error_max_turns',
      errorKind: 'max_turns',
      errors: [expect.any(String)],
    });
    turns.closeInput();
    expect((await turns.end()).code).toBe(0);

    await using budget = new Driver(stage, { args: ['--max-budget-usd', '0.0001'] });
    const poor = await budget.turn(`${bash('echo 1')} [[next]] [[text never]]`);
    expect(first(poor, 'result')).toMatchObject({ success: false, errorKind: 'max_budget' });
  });

  it('[arg --structured-output] gives the object, or a failed result when none came', {
    tags: ['full'],
  }, async () => {
    const schema = {
      type: 'object',
      properties: { answer: { type: 'number' } },
      required: ['answer'],
      additionalProperties: false,
    };
    await using runner = new Driver(stage, { args: ['--structured-output', JSON.stringify(schema)] });
    const good = await runner.turn('[[tool StructuredOutput {"answer":42}]]');
    expect(first(good, 'result')).toMatchObject({ success: true, structuredOutput: { answer: 42 } });

    const missing = await runner.turn('[[text I would rather not.]]');
    expect(first(missing, 'result')).toMatchObject({
      success: false,
      errorKind: 'structured_output',
      errors: [expect.any(String)],
    });
    expect(first(missing, 'result').structuredOutput).toBeUndefined();
  });

  it('[arg --sdk-debug] [arg --sdk-debug-file] write what the runtime debugs, and none of it to stdout', {
    tags: ['full'],
  }, async () => {
    const file = join(stage.home, 'debug.txt');
    await using runner = new Driver(stage, { args: ['--sdk-debug', '--sdk-debug-file', file] });
    await runner.turn('[[text one]]');
    runner.closeInput();
    await runner.end();
    const { readFile } = await import('node:fs/promises');
    expect((await readFile(file, 'utf8')).length).toBeGreaterThan(100);
  });

  it('[arg --setting-sources] [arg --no-project-code] choose what of the project is read', {
    tags: ['full'],
  }, async () => {
    const project = join(stage.workspace, 'project');
    await mkdir(join(project, '.claude'), { recursive: true });
    await writeFile(join(project, 'CLAUDE.md'), 'The project greets with Ahoy.');
    const hook = { type: 'command', command: `touch ${join(project, 'hook-ran')}` };
    await writeFile(
      join(project, '.claude', 'settings.json'),
      JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [hook] }] } }),
    );
    const { existsSync, rmSync } = await import('node:fs');
    const ran = () => existsSync(join(project, 'hook-ran'));

    await using all = new Driver(stage, { args: ['--cwd', project] });
    await all.turn('[[text one]]');
    expect([lastConversation().includes('Ahoy'), ran()]).toEqual([true, true]);
    rmSync(join(project, 'hook-ran'));

    await using user = new Driver(stage, { args: ['--cwd', project, '--setting-sources', 'user'] });
    await user.turn('[[text one]]');
    expect([lastConversation().includes('Ahoy'), ran()]).toEqual([false, false]);

    await using none = new Driver(stage, { args: ['--cwd', project, '--no-project-code'] });
    await none.turn('[[text one]]');
    expect(ran()).toBe(false);
  });
});
