import { expect, it } from 'vitest';
import { activityOf } from '../../../src/domain/status/activity.js';

const evidence = {
  type: 'status_evidence',
  source: 's',
  confidence: 'strong',
  at: '2026-01-01T00:00:00.000Z',
};

it('knows what the agent is doing', () => {
  const events = [
    { type: 'run_started' },
    { type: 'tool_start', id: 't', tool: 'Bash', params: { command: 'ls' } },
    { type: 'text_delta', content: 'H' },
    { type: 'tool_start', params: 'of another shape' },
    { type: 'warning', message: 'm' },
    { type: 'attempt_ended', outcome: { reason: 'rate_limit' } },
    { type: 'attempt_ended', outcome: { reason: 'crashed' } },
    { ...evidence, fact: 'model_retried', retry: { attempt: 4, of: 10 } },
    { ...evidence, fact: 'model_answered' },
    { ...evidence, fact: 'turn_started' },
  ];
  expect(events.map(activityOf)).toEqual([
    'starting the agent',
    'Run ls',
    'writing',
    undefined,
    undefined,
    'waiting for quota',
    'waiting for the next attempt',
    'the model does not answer, retry 4 of 10',
    'thinking',
    undefined,
  ]);
});
