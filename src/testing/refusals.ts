import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ToolPreset } from '../protocol/posture.js';
import { hangLimitMs } from './hang-limit.js';
import { drive, type RuntimeRig } from './rig.js';
import type { TestStage } from './test-stage.js';

/** What a runtime has not declared is refused by name, before anything is started. */
export function refusalContract(rig: RuntimeRig): void {
  const { capabilities: can } = rig.runtime;
  let stage: TestStage;
  beforeAll(async () => {
    stage = await rig.open();
  }, hangLimitMs);
  afterAll(async () => await stage[Symbol.asyncDispose](), hangLimitMs);

  const launches: [string, boolean, string[]][] = [
    ...ToolPreset.options.map((preset): [string, boolean, string[]] => [
      `the tool preset ${preset}`,
      can.toolPresets.includes(preset),
      ['--tool-preset', preset],
    ]),
    ['checkpoints', can.checkpoints, ['--enable-checkpointing']],
    ['maxTurns', can.limits.includes('maxTurns'), ['--max-turns', '3']],
    ['maxBudgetUsd', can.limits.includes('maxBudgetUsd'), ['--max-budget-usd', '3']],
  ];

  describe('what it cannot do', () => {
    it.each(launches)('is refused, and nothing else is: %s', async (what, isSupported, args) => {
      await using runner = drive(rig, stage, { args });
      if (isSupported) {
        await runner.turn('[[text Fine.]]');
        return;
      }
      const { code } = await runner.end();
      expect([code, runner.stderr]).toEqual([65, expect.stringContaining(`cannot do this: ${what}`)]);
    });

    it('is refused of a command too', async () => {
      const command = { type: 'set_max_thinking_tokens', maxThinkingTokens: 100 } as const;
      await using runner = drive(rig, stage);
      runner.send(command);
      await runner.turn('[[text Fine.]]');
      const refused = runner.events.filter(({ type }) => type === 'command_error');
      expect(refused).toHaveLength(can.commands.includes(command.type) ? 0 : 1);
    });
  });
}
