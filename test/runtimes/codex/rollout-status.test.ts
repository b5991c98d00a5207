import { expect, test } from 'vitest';
import { observedStatus, signsOf } from '../../../src/domain/status/observed-status.js';
import { rolloutStatus } from '../../../src/runtimes/codex/rollout-status.js';

const timestamp = '2026-01-01T00:00:00.000Z';
const event = (type: string) => JSON.stringify({ timestamp, type: 'event_msg', payload: { type } });
const item = (payload: object) => JSON.stringify({ timestamp, type: 'response_item', payload });
const call = (id: string, name = 'exec_command', given = '{}') =>
  item({ type: 'function_call', call_id: id, name, arguments: given });
const output = (id: string) => item({ type: 'function_call_output', call_id: id, output: 'x' });
const asks = call('q', 'request_user_input', '{"questions":[{"question":"Which colour?"}]}');

test.each<[string, string[], string, string?]>([
  ['nothing', ['', '{"half'], 'idle'],
  ['a turn', [event('task_started')], 'busy'],
  ['a turn that is over', [event('task_started'), event('task_complete')], 'idle'],
  ['a turn that was called off', [event('task_started'), call('1'), event('turn_aborted')], 'idle'],
  ['a call', [event('task_started'), call('1')], 'busy'],
  ['the end of a long turn', ['cut off"}', call('1'), output('1')], 'busy'],
  ['a question', [event('task_started'), asks], 'question', 'Which colour?'],
  ['one that is answered', [event('task_started'), asks, output('q')], 'busy'],
  ['a turn after a question', [event('task_started'), asks, output('q'), event('task_complete')], 'idle'],
  ['a question that was called off', [event('task_started'), asks, event('turn_aborted')], 'idle'],
])('%s', (_, lines, state, prompt) => {
  const { evidence, asked } = rolloutStatus(lines, Date.parse(timestamp) + 1000);
  const status = observedStatus(signsOf(evidence), asked);
  expect(status.state).toBe(state);
  expect(status.state === 'question' ? status.prompt : undefined).toBe(prompt);
});
