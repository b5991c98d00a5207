import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { tool } from './prompting.js';
import { only, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const colour = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'like a fire', preview: '# red' },
    { label: 'Blue', description: 'like the sea', preview: '# blue' },
  ],
};
const sizes = {
  question: 'Which sizes?',
  header: 'Sizes',
  multiSelect: true,
  options: [
    { label: 'S', description: 'small' },
    { label: 'M', description: 'medium' },
    { label: 'L', description: 'large' },
  ],
};

function ask(...questions: unknown[]): string {
  return `${tool('AskUserQuestion', { questions })} [[next]] [[text Thanks.]]`;
}

describe('a question', () => {
  it('[event user_question_request] [command user_question_response] carries questions out and answers back', async () => {
    await using runner = new Driver(stage);

    runner.message(`[[text Before I go on:]] ${ask(colour)}`);
    const asked = await runner.until('user_question_request');
    const single = asked.at(-1);
    expect(textOf(asked)).toBe('Before I go on:');
    expect(single).toEqual({
      type: 'user_question_request',
      requestId: expect.stringMatching(/^req_/),
      questions: [colour],
      toolUseId: only(asked, 'tool_start')[0]?.id,
      timestamp: expect.any(String),
    });
    if (single?.type !== 'user_question_request') throw new Error('unreachable');
    const { requestId } = single;

    // What cannot be an answer is refused, and the question stays open.
    runner.send({ type: 'user_question_response', questionRequestId: 'req_unknown', answers: { a: 'b' } });
    runner.send({ type: 'user_question_response', questionRequestId: requestId, answers: { 'Which?': 'x' } });
    runner.send({ type: 'user_question_response', questionRequestId: requestId, answers: {} });
    runner.send({ type: 'user_question_response', questionRequestId: requestId, answers: 'Blue' });
    runner.send({ type: 'plan_approval_response', planApprovalRequestId: requestId, planApproved: true });
    runner.send({
      type: 'user_question_response',
      questionRequestId: requestId,
      answers: { 'Which colour?': 'Blue' },
    });
    runner.send({
      type: 'user_question_response',
      questionRequestId: requestId,
      answers: { 'Which colour?': 'Red' },
    });
    const turn = await runner.until('turn_complete');
    expect(only(turn, 'command_error').map(({ command, requestId: id }) => [command, id])).toEqual([
      ['user_question_response', 'req_unknown'],
      ['user_question_response', requestId],
      ['user_question_response', requestId],
      ['user_question_response', undefined],
      ['plan_approval_response', requestId],
      ['user_question_response', requestId],
    ]);
    expect(textOf(turn)).toBe('Thanks.');
    expect(lastToolResult()).toContain('"Which colour?"="Blue"');

    // Several questions at once: labels joined for a multi-select, free text where no label fits.
    runner.message(ask(colour, sizes));
    const both = await runner.next('user_question_request');
    expect(both.questions).toEqual([colour, sizes]);
    runner.send({
      type: 'user_question_response',
      questionRequestId: both.requestId,
      answers: { 'Which colour?': 'A warm grey, please', 'Which sizes?': 'S, L' },
    });
    await runner.until('turn_complete');
    expect(lastToolResult()).toContain('"Which sizes?"="S, L"');
    expect(lastToolResult()).toContain('A warm grey, please');

    // Two questions in one batch of tool calls are two requests, each with its answer.
    const other = { ...colour, question: 'And the lid?' };
    runner.message(
      `${tool('AskUserQuestion', { questions: [colour] })} ${tool('AskUserQuestion', { questions: [other] })} [[next]] [[text Both.]]`,
    );
    const one = await runner.next('user_question_request');
    runner.send({
      type: 'user_question_response',
      questionRequestId: one.requestId,
      answers: { [one.questions[0]?.question ?? '']: 'Red' },
    });
    const two = await runner.next('user_question_request');
    runner.send({
      type: 'user_question_response',
      questionRequestId: two.requestId,
      answers: { [two.questions[0]?.question ?? '']: 'Blue' },
    });
    expect(textOf(await runner.until('turn_complete'))).toBe('Both.');
    expect(new Set([one, two].map(({ questions }) => questions[0]?.question))).toEqual(
      new Set(['Which colour?', 'And the lid?']),
    );
  });

  it('[command withdraw] that is withdrawn is told as unanswered, neither as an answer nor as a refusal', async () => {
    await using runner = new Driver(stage);
    runner.message(ask(colour));
    const { requestId } = await runner.next('user_question_request');
    runner.send({ type: 'withdraw', requestId, reason: 'nobody answered in time.' });
    await runner.until('turn_complete');
    expect(lastToolResult()).toContain(
      'Nobody answered: nobody answered in time. Do not take this for a refusal',
    );
    expect(lastToolResult()).not.toContain('The user answered');
    runner.send({ type: 'withdraw', requestId, reason: 'again.' });
    expect(await runner.next('command_error')).toMatchObject({ command: 'withdraw', requestId });
  });

  it('is rejected as unanswered when the input ends, and the turn finishes', async () => {
    await using runner = new Driver(stage);
    runner.message(ask(colour));
    await runner.next('user_question_request');
    runner.closeInput();
    const { code, last } = await runner.end();

    expect(code).toBe(0);
    expect(lastToolResult()).toContain('Nobody answered');
    expect(only(last, 'result').map(({ success }) => success)).toEqual([true]);
    expect(last.at(-1)?.type).toBe('complete');
  });

  it.each([
    ['[mode dontAsk]', 'dontAsk'],
    ['[mode default]', 'default'],
    ['[mode plan]', 'plan'],
  ] as const)('%s is raised, for a mode decides about permissions only', async (_row, mode) => {
    await using runner = new Driver(stage, { args: ['--permission-mode', mode] });
    runner.message(ask(colour));
    const { requestId } = await runner.next('user_question_request');
    runner.send({
      type: 'user_question_response',
      questionRequestId: requestId,
      answers: { 'Which colour?': 'Blue' },
    });
    const turn = await runner.until('turn_complete');
    expect(only(turn, 'permission_request')).toEqual([]);
    expect(lastToolResult()).toContain('"Which colour?"="Blue"');
  });
});

function lastToolResult(): string {
  return stage.simulator.toolResults().at(-1)?.text ?? '';
}
