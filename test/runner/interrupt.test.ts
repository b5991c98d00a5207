import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, longCommand, subAgent } from './prompting.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const requests = () => stage.simulator.modelRequests().length;

describe('an interrupt', () => {
  it('[command interrupt] [event interrupted] cancels text, a tool, a question and a sub-agent, and the next turn works', async () => {
    await using runner = new Driver(stage);

    // Without a running turn there is nothing to cancel.
    runner.send({ type: 'interrupt' });
    expect(await runner.next('command_error')).toMatchObject({ command: 'interrupt' });

    // In the text: what the model had said by then is kept.
    runner.message('[[slow 30]] [[deltas 2000 word ]]');
    await runner.next('text_delta');
    runner.send({ type: 'interrupt' });
    const inText = await runner.until('turn_complete');
    expect(inText.filter(({ type }) => type === 'interrupted' || type === 'result')).toMatchObject([
      { type: 'interrupted' },
      { type: 'result', success: false, errorKind: 'interrupted', origin: 'message' },
    ]);
    expect(textOf(runner.events)).toMatch(/^(word ?)+$/);
    expect(textOf(await runner.turn('[[text after text]]'))).toBe('after text');

    // In a tool: it ends, and so does its process.
    runner.message(`${longCommand()} [[next]] [[text never]]`);
    await runner.next('hook_pre_tool');
    await runner.runs('3600000');
    const before = requests();
    runner.send({ type: 'interrupt' });
    const inTool = await runner.until('turn_complete');
    expect(only(inTool, 'tool_end').map(({ success }) => success)).toEqual([false]);
    expect(first(inTool, 'result')).toMatchObject({ success: false, errorKind: 'interrupted' });
    expect(requests()).toBe(before);
    await runner.isRidOf('3600000');
    expect(textOf(await runner.turn('[[text after tool]]'))).toBe('after tool');

    // In a question: it is settled, a late answer is refused, and the model is asked nothing more.
    runner.message('[[ask Which? | A | B]] [[next]] [[text never]]');
    const { requestId } = await runner.next('user_question_request');
    const asked = requests();
    runner.send({ type: 'interrupt' });
    const inQuestion = await runner.until('turn_complete');
    expect(only(inQuestion, 'tool_end').map(({ success }) => success)).toEqual([false]);
    expect(first(inQuestion, 'result')).toMatchObject({ success: false, errorKind: 'interrupted' });
    expect(requests()).toBe(asked);
    runner.send({
      type: 'user_question_response',
      questionRequestId: requestId,
      answers: { 'Which?': 'A' },
    });
    expect(await runner.next('command_error')).toMatchObject({ requestId });
    expect(textOf(await runner.turn('[[text after question]]'))).toBe('after question');

    // In a sub-agent: it and its tool end with the turn.
    runner.message(
      `${subAgent('<<tool Bash {"command":"node -e \\"setTimeout(() => {}, 3600000)\\""}>>')} [[next]] [[text never]]`,
    );
    await runner.next('tool_start', ({ agentId }) => agentId !== undefined);
    await runner.runs('3600000');
    runner.send({ type: 'interrupt' });
    const inAgent = await runner.until('turn_complete');
    expect(only(inAgent, 'tool_end').map(({ success }) => success)).toEqual([false, false]);
    expect(first(inAgent, 'result')).toMatchObject({ success: false, errorKind: 'interrupted' });
    await runner.isRidOf('3600000');
    expect(textOf(await runner.turn(`${bash('echo fine')} [[next]] [[text after agent]]`))).toBe(
      'after agent',
    );
  });

  it('[command interrupt] right behind its message, and twice, cancels it once', {
    tags: ['full'],
  }, async () => {
    await using runner = new Driver(stage);
    for (const times of [1, 2]) {
      // A model that does not answer: one that answers at once may be faster than the interrupt.
      runner.message('[[hang]]');
      for (let sent = 0; sent < times; sent++) runner.send({ type: 'interrupt' });
      const turn = await runner.until('turn_complete');
      expect([only(turn, 'interrupted').length, first(turn, 'result').errorKind]).toEqual([1, 'interrupted']);
    }
    expect(textOf(await runner.turn('[[text after]]'))).toBe('after');
  });

  it('[command interrupt] lets a queued message run next', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage);
    runner.message('[[hang]]');
    await stage.simulator.waitFor(({ conversation }) => JSON.stringify(conversation).includes('[[hang]]'));
    runner.message('[[text the next]]');
    runner.send({ type: 'interrupt' });
    expect(first(await runner.until('turn_complete'), 'result').errorKind).toBe('interrupted');
    expect(textOf(await runner.until('turn_complete'))).toBe('the next');
  });

  it('[command interrupt] of a permission settles it', { tags: ['full'] }, async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'default'] });
    runner.message(`${bash('node -e 1')} [[next]] [[text never]]`);
    const { requestId } = await runner.next('permission_request');
    const before = requests();
    runner.send({ type: 'interrupt' });
    await runner.until('turn_complete');
    expect(requests()).toBe(before);
    runner.send({ type: 'permission_response', permissionRequestId: requestId, approved: true });
    expect(await runner.next('command_error')).toMatchObject({ requestId });
    expect(textOf(await runner.turn('[[text after]]'))).toBe('after');
  });
});
