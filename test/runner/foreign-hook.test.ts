import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStage } from '../harness/stage.js';
import { Driver } from './driver.js';
import { bash } from './prompting.js';
import { first, only } from './stable.js';

it('a hook of the user that defers a call fails the turn, and the result says what happened', {
  tags: ['full'],
}, async () => {
  const stage = await openStage('claude');
  onTestFinished(async () => await stage[Symbol.asyncDispose]());
  const output = { hookEventName: 'PreToolUse', permissionDecision: 'defer' };
  const command = `echo '${JSON.stringify({ hookSpecificOutput: output })}'`;
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] };
  const config = stage.env['CLAUDE_CONFIG_DIR'] ?? '';
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'settings.json'), JSON.stringify({ hooks }));
  await using runner = new Driver(stage);
  const turn = await runner.turn(`${bash('touch there')} [[next]] [[text ok]]`);
  const { success, errors = [] } = first(turn, 'result');
  expect(success).toBe(false);
  const { id } = first(turn, 'tool_start');
  expect(errors).toEqual([expect.stringContaining(`deferred the call of Bash (${id})`)]);
  expect(only(turn, 'permission_request')).toEqual([]);
});
