import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Driver } from './driver.js';
import { first, only, textOf } from './event-list.js';
import { hangLimitMs } from './hang-limit.js';
import { drive, type RuntimeRig } from './rig.js';
import type { TestStage } from './test-stage.js';

/** Questions, approvals, plans, and the question in a file. */
export function promptContract(rig: RuntimeRig): void {
  const { capabilities: can } = rig.runtime;
  let stage: TestStage;
  beforeAll(async () => {
    stage = await rig.open();
  }, hangLimitMs);
  afterAll(async () => await stage[Symbol.asyncDispose](), hangLimitMs);
  const isThere = (name: string) => existsSync(join(stage.workspace, name));
  // All of them: some agents ask their model for a title besides, whenever they like.
  const results = () =>
    JSON.stringify(stage.simulator.modelRequests().map(({ conversation }) => conversation?.entries));

  /** Asks for permission to make a file, and answers. */
  async function decide(runner: Driver, name: string, response: object) {
    runner.message(`${rig.asking(`touch ${name}`)} [[next]] [[text Went on.]]`);
    const seen = await runner.until('permission_request');
    const { requestId, ...request } = first(seen, 'permission_request');
    expect(isThere(name)).toBe(false);
    runner.send({ type: 'permission_response', permissionRequestId: requestId, ...response });
    return { request, seen, rest: await runner.until('turn_complete') };
  }

  describe('a prompt', () => {
    it.runIf(can.questions)('asks a question and brings the answer to the model', async () => {
      await using runner = drive(rig, stage);
      runner.message('[[text Hm.]] [[ask Which colour? | Red | Blue]] [[next]] [[text Chosen.]]');
      const seen = await runner.until('user_question_request');
      const request = first(seen, 'user_question_request');
      expect(textOf(seen)).toBe('Hm.');
      expect(request.questions).toMatchObject([
        { question: 'Which colour?', multiSelect: false, options: [{ label: 'Red' }, { label: 'Blue' }] },
      ]);
      expect(first(seen, 'tool_start')).toMatchObject({ id: request.toolUseId, tool: 'AskUserQuestion' });
      runner.send({
        type: 'user_question_response',
        questionRequestId: request.requestId,
        answers: { 'Which colour?': 'heliotrope' },
      });
      const rest = await runner.until('turn_complete');
      expect(only(rest, 'tool_end')).toMatchObject([{ id: request.toolUseId, success: true }]);
      expect([textOf(rest), results()]).toEqual(['Chosen.', expect.stringContaining('heliotrope')]);
    });

    it.runIf(can.approvals)('asks before it acts: once, refused, for the thread', async () => {
      await using runner = drive(rig, stage, { args: ['--permission-mode', 'default'] });
      const once = await decide(runner, 'once', { approved: true });
      expect(once.request).toMatchObject({ tool: 'Bash', input: { command: 'touch once' } });
      expect(once.request.toolUseId).toBe(first(once.seen, 'tool_start').id);
      expect([isThere('once'), textOf(once.rest)]).toEqual([true, 'Went on.']);

      const refused = await decide(runner, 'refused', { approved: false });
      const after = rig.refusalEndsTurn ? expect.stringContaining('The person refused this.') : 'Went on.';
      expect([isThere('refused'), textOf(refused.rest)]).toEqual([false, after]);
      expect(first(refused.rest, 'result').denials).toMatchObject([{ tool: 'Bash' }]);

      await decide(runner, 'thread', { approved: true, scope: 'thread' });
      const again = await runner.turn(`${rig.asking('touch thread')} [[next]] [[text Unasked.]]`);
      expect([only(again, 'permission_request'), textOf(again)]).toEqual([[], 'Unasked.']);
    });

    it.runIf(can.denyWithMessage)('tells the model why it was denied', async () => {
      await using runner = drive(rig, stage, { args: ['--permission-mode', 'default'] });
      await decide(runner, 'friday', { approved: false, message: 'Not on a Friday.' });
      expect([isThere('friday'), results()]).toEqual([false, expect.stringContaining('Not on a Friday.')]);
    });

    it.runIf(can.approvals)('approves with another input, or refuses to', async () => {
      await using runner = drive(rig, stage, { args: ['--permission-mode', 'default'] });
      runner.message(`${rig.asking('touch given')} [[next]] [[text Went on.]]`);
      const { requestId } = await runner.next('permission_request');
      const edited = { approved: true, updatedInput: { command: 'touch edited' } };
      runner.send({ type: 'permission_response', permissionRequestId: requestId, ...edited });
      if (!can.editedInput) {
        expect(await runner.next('command_error')).toMatchObject({ requestId });
        runner.send({ type: 'permission_response', permissionRequestId: requestId, approved: false });
      }
      await runner.until('turn_complete');
      expect([isThere('given'), isThere('edited')]).toEqual([false, can.editedInput]);
    });

    it.runIf(can.approvals)('is withdrawn by an interrupt, and a late answer is refused', async () => {
      await using runner = drive(rig, stage, { args: ['--permission-mode', 'default'] });
      runner.message(`${rig.asking('touch late')} [[next]] [[text never]]`);
      const { requestId } = await runner.next('permission_request');
      runner.send({ type: 'interrupt' });
      const turn = await runner.until('turn_complete');
      expect(first(turn, 'result')).toMatchObject({ success: false, errorKind: 'interrupted' });
      runner.send({ type: 'permission_response', permissionRequestId: requestId, approved: true });
      expect(await runner.next('command_error')).toMatchObject({ requestId });
      expect(textOf(await runner.turn('[[text after]]'))).toBe('after');
      expect(isThere('late')).toBe(false);
    });

    it.runIf(can.plans)('shows a plan, and carries it out once it is approved', async () => {
      await using runner = drive(rig, stage, { args: ['--permission-mode', 'plan'] });
      runner.message((await rig.plan?.(runner, stage, '# The plan\n')) ?? '');
      const request = await runner.next('plan_approval_request');
      expect([request.planContent, isThere('planned')]).toEqual(['# The plan\n', false]);
      const answer = { planApprovalRequestId: request.requestId, planApproved: true };
      runner.send({ type: 'plan_approval_response', ...answer });
      expect(await runner.next('permission_mode_changed')).toMatchObject({ source: 'plan' });
      const { requestId } = await runner.next('permission_request');
      runner.send({ type: 'permission_response', permissionRequestId: requestId, approved: true });
      expect(textOf(await runner.until('turn_complete'))).toBe('Carried out.');
      expect(isThere('planned')).toBe(true);
      stage.simulator.setScript({ replies: [] });
    });

    it('leaves a question in a file, and gets the answer as the next message', async () => {
      await using runner = drive(rig, stage);
      const file = JSON.stringify({ question: 'Which tree?', options: ['Oak'], partial_state: { step: 2 } });
      const leave = `mkdir -p .agora && echo '${file}' > .agora/needs_input.json`;
      const turn = await runner.turn(`${rig.shell(leave)} [[next]] [[text I stop.]]`);
      expect(only(turn, 'needs_input')).toMatchObject([
        { question: 'Which tree?', options: ['Oak'], partialState: { step: 2 } },
      ]);
      expect(textOf(await runner.turn('[[text Oak, then.]]'))).toBe('Oak, then.');
    });
  });
}
