import { expect, test } from 'vitest';
import { eventDefinitions, eventSchema } from '../../src/protocol/index.js';
import { keysOf } from '../../src/protocol/keys.js';
import { eventSamples } from './event-samples.js';

const types = keysOf(eventDefinitions);
const timestamp = '2026-01-02T03:04:05.678Z';

/** The names that parents and workers were promised. */
const promised = `
  review_comment_added
  ready init session_started session_ended session_id_update turn_complete complete
  assistant_text thinking_start thinking_delta thinking text_delta
  tool_start tool_end tool_progress hook_pre_tool hook_post_tool hook_tool_failure
  subagent_started subagent_stopped subagent_output
  user_question_request plan_approval_request permission_request request_withdrawn needs_input todo_update
  agent_notification agent_stop parked
  result context_usage context_window_size compact_boundary
  checkpoint_created files_rewound model_changed permission_mode_changed
  supported_models supported_commands mcp_status account_info
  command_accepted answer_delivered
  error auth_error interrupted warning command_error json_parse_error shutdown
  status_evidence resources_used background_tasks agent_exited unrecognized
`;

test('the vocabulary is exactly what was promised', () => {
  expect(types.toSorted()).toEqual(promised.trim().split(/\s+/).toSorted());
});

test('only the deltas and the progress of a tool are live', () => {
  const live = types.filter((type) => eventDefinitions[type].delivery === 'live');

  expect(live.toSorted()).toEqual(['text_delta', 'thinking_delta', 'tool_progress']);
});

test.each(types)('%s survives the wire', (type) => {
  const event = { ...eventSamples[type], timestamp, runSeq: 7 };

  expect(eventSchema(type).parse(JSON.parse(JSON.stringify(event)))).toEqual(event);
});

test.each(types)('%s without one of its required fields is refused', (type) => {
  const event: Record<string, unknown> = { ...eventSamples[type], timestamp };
  const { shape } = eventSchema(type);
  // A field of type unknown takes undefined too, so its absence cannot be refused.
  const required = Object.keys(shape).filter((field) => shape[field]?.safeParse(undefined).success === false);

  const refused = required.filter(
    (field) => !eventSchema(type).safeParse({ ...event, [field]: undefined }).success,
  );

  expect(refused).toEqual(required);
  expect(required).toContain('timestamp');
});

test('a field of a newer runner is ignored', () => {
  const event = { type: 'warning', message: 'slow', timestamp };

  expect(eventSchema('warning').parse({ ...event, since: 'tomorrow' })).toEqual(event);
});
