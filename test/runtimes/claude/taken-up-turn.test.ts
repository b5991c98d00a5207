// A call that was let go comes back by itself when its session is resumed, in a turn that no message has begun.
import { expect, test } from 'vitest';
import { ClaudeTranslator } from '../../../src/runtimes/claude/translate.js';
import { readHook } from '../../../src/runtimes/claude/wire.js';
import type { RuntimeFact } from '../../../src/runtimes/runtime.js';

const init = {
  type: 'system',
  subtype: 'init',
  session_id: 's',
  cwd: '/w',
  model: 'm',
  tools: [],
  mcp_servers: [],
  permissionMode: 'default',
};
const result = (more: object) => ({
  type: 'result',
  session_id: 's',
  uuid: 'r',
  num_turns: 1,
  total_cost_usd: 0,
  ...more,
});
const interrupted = { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' };
const said = { subtype: 'success', is_error: false, result: 'Here.' };

function translator() {
  const made = new ClaudeTranslator({
    now: () => 0,
    limits: {},
    permissionMode: 'default',
    expectsStructuredOutput: false,
  });
  made.begin({ uuid: 'native', messageUuid: 'ours' });
  return made;
}

function called(on: ClaudeTranslator): void {
  const hook = readHook('PreToolUse', {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    tool_use_id: 'toolu_1',
    tool_name: 'Bash',
    tool_input: {},
  });
  if (!hook) throw new Error('unreachable');
  on.hook(hook);
}

function turnOf(facts: readonly RuntimeFact[]) {
  const turn = facts.find((fact) => fact.type === 'turn_ended');
  return turn?.type === 'turn_ended' ? [turn.result.origin, turn.result.messageUuid] : [];
}

test('its end is not that of the message which was there before it, whose turn comes', () => {
  const on = translator();
  called(on);
  on.message(init);
  expect(turnOf(on.message(result(interrupted)))).toEqual(['background_task', undefined]);
  on.message(init);
  expect(turnOf(on.message(result({ ...said, user_message_uuids: ['native'] })))).toEqual([
    'message',
    'ours',
  ]);
});

test('a message that the agent took into that turn ends with it', () => {
  const on = translator();
  called(on);
  on.message(init);
  const both = result({ ...said, user_message_uuids: ['native'] });
  expect(turnOf(on.message(both))).toEqual(['message', 'ours']);
});

test('a turn that a message began ends with it, also in words of a version that names no messages', () => {
  const on = translator();
  on.message(init);
  called(on);
  expect(turnOf(on.message(result(interrupted)))).toEqual(['message', 'ours']);
});
