import { expect, it } from 'vitest';
import { activityOf } from '../../../src/domain/status/activity.js';

it('knows what the agent is doing', () => {
  const events = [
    { type: 'run_started' },
    { type: 'tool_start', id: 't', tool: 'Bash', params: { command: 'ls' } },
    { type: 'text_delta', content: 'H' },
    { type: 'tool_start', params: 'of another shape' },
    { type: 'warning', message: 'm' },
  ];
  expect(events.map(activityOf)).toEqual(['starting the agent', 'Bash ls', 'writing', undefined, undefined]);
});
