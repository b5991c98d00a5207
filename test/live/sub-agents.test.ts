import { expect, it } from 'vitest';
import type { FollowedEvent } from '../../src/client/thread-event.js';
import { subAgents } from '../../src/live/sub-agents.js';
import type { TimelineEntry } from '../../src/live/timeline.js';

const timestamp = '2026-01-02T03:04:05.000Z';
let seq = 0;
const event = (fact: { readonly type: string; readonly [field: string]: unknown }): FollowedEvent => {
  seq += 1;
  return { ...fact, seq, timestamp };
};
const started = (agentId: string, parentToolUseId?: string) =>
  event({
    type: 'subagent_started',
    agentId,
    agentType: 'explorer',
    ...(parentToolUseId && { parentToolUseId }),
  });
const call = (toolUseId: string, fields: { readonly agentId?: string; readonly description?: unknown }) => {
  seq += 1;
  const { description, ...rest } = fields;
  return {
    type: 'tool_call',
    id: `itm_${seq}`,
    seq,
    timestamp,
    toolUseId,
    tool: 'Agent',
    params: { description },
    ...rest,
  } as TimelineEntry;
};
const agent = (agentId: string, fields: object = {}) => ({
  agentId,
  kind: 'explorer',
  task: '',
  startedAt: timestamp,
  isRunning: true,
  said: '',
  calls: 0,
  children: [],
  ...fields,
});

it('each stands below the one whose call started it, with what it was asked, did and said', () => {
  const events = [
    started('one', 'call-1'),
    started('two', 'call-2'),
    event({ type: 'subagent_output', agentId: 'two', agentOutput: 'Found **it**.' }),
    event({ type: 'subagent_stopped', agentId: 'two' }),
    started('three'),
  ];
  const entries = [
    call('call-1', { description: 'Look around' }),
    call('call-2', { description: 'Look deeper', agentId: 'one' }),
    call('call-3', { description: 7, agentId: 'two' }),
  ];
  expect(subAgents(events, entries)).toEqual([
    agent('one', {
      task: 'Look around',
      calls: 1,
      children: [agent('two', { task: 'Look deeper', calls: 1, isRunning: false, said: 'Found **it**.' })],
    }),
    agent('three'),
  ]);
});

it('agents that claim to have started each other, and themselves, stand on their own', () => {
  const events = [started('one', 'call-2'), started('two', 'call-1'), started('me', 'call-3')];
  const entries = [
    call('call-1', { agentId: 'one' }),
    call('call-2', { agentId: 'two' }),
    call('call-3', { agentId: 'me' }),
  ];
  const shown = subAgents(events, entries).map(({ agentId, children }) => [agentId, children.length]);
  expect(shown).toEqual([
    ['one', 1],
    ['me', 0],
  ]);
});
