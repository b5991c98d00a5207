import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planFile } from '../harness/plan-file.js';
import { openStage, type Stage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash, tool } from './prompting.js';
import { first, only, textOf } from './stable.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('claude');
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const plan = '# The plan\n\n1. Look.\n2. Leap.\n';

/** Writes the plan where Claude Code wants it: its path stands in the reminder that plan mode adds. */
async function writePlan(runner: Driver): Promise<void> {
  await runner.turn('[[text I will plan.]]');
  const turn = await runner.turn(
    `${tool('Write', { file_path: planFile(stage.simulator), content: plan })} [[next]] [[text Written.]]`,
  );
  expect(only(turn, 'permission_request')).toEqual([]);
}

describe('a plan', () => {
  it('[event plan_approval_request] [command plan_approval_response] [event permission_mode_changed] is rejected with a reason, then approved', async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'plan'] });
    await writePlan(runner);

    runner.message(`[[text This is my plan.]] ${tool('ExitPlanMode')} [[next]] [[text I see.]]`);
    const seen = await runner.until('plan_approval_request');
    const request = first(seen, 'plan_approval_request');
    expect([textOf(seen), request]).toEqual([
      'This is my plan.',
      {
        type: 'plan_approval_request',
        requestId: expect.stringMatching(/^req_/),
        planContent: plan,
        toolUseId: first(seen, 'tool_start').id,
        timestamp: expect.any(String),
      },
    ]);
    runner.send({ type: 'plan_approval_response', planApprovalRequestId: 'req_no', planApproved: true });
    runner.send({ type: 'plan_approval_response', planApprovalRequestId: request.requestId });
    runner.send({
      type: 'plan_approval_response',
      planApprovalRequestId: request.requestId,
      planApproved: false,
      planApprovalReason: 'Look twice.',
    });
    const rejected = await runner.until('turn_complete');
    expect(only(rejected, 'command_error').map(({ command }) => command)).toEqual([
      'plan_approval_response',
      'plan_approval_response',
    ]);
    expect(stage.simulator.toolResults().at(-1)).toMatchObject({
      text: expect.stringContaining('Look twice.'),
      isError: true,
    });
    expect(only(rejected, 'permission_mode_changed')).toEqual([]);

    runner.message(`${tool('ExitPlanMode')} [[next]] [[text Off we go.]]`);
    const again = await runner.next('plan_approval_request');
    runner.send({
      type: 'plan_approval_response',
      planApprovalRequestId: again.requestId,
      planApproved: true,
    });
    const approved = await runner.until('turn_complete');
    expect(textOf(approved)).toBe('Off we go.');
    expect(stage.simulator.toolResults().at(-1)?.text).toContain('approved');
    expect(only(approved, 'permission_mode_changed').map(({ mode, source }) => [mode, source])).toEqual([
      ['default', 'plan'],
    ]);
    runner.send({
      type: 'plan_approval_response',
      planApprovalRequestId: again.requestId,
      planApproved: true,
    });
    expect(await runner.next('command_error')).toMatchObject({ requestId: again.requestId });
  });

  it('is rejected as unanswered when the input ends, and nothing of it runs', {
    tags: ['full'],
  }, async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'plan'] });
    runner.message(`${tool('ExitPlanMode')} [[next]] ${bash('touch leapt')} [[next]] [[text Over.]]`);
    const request = await runner.next('plan_approval_request');
    expect(request.planContent).toBe('');
    runner.closeInput();
    const { code } = await runner.end();
    expect([code, existsSync(join(stage.workspace, 'leapt'))]).toEqual([0, false]);
    expect(stage.simulator.toolResults().some(({ text }) => text.includes('Nobody answered'))).toBe(true);
  });

  it('that the model put into its call, and into no file, is shown', async () => {
    await using runner = new Driver(stage, { args: ['--permission-mode', 'plan'] });
    runner.message(`${tool('ExitPlanMode', { plan })} [[next]] [[text I see.]]`);
    const seen = await runner.until('plan_approval_request');
    const request = first(seen, 'plan_approval_request');
    expect(request.planContent).toBe(plan);
    runner.send({
      type: 'plan_approval_response',
      planApprovalRequestId: request.requestId,
      planApproved: true,
    });
    await runner.until('turn_complete');
    expect(stage.simulator.toolResults().at(-1)?.text).toContain('approved');
  });
});
