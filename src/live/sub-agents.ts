import { type FollowedEvent, factOf } from '../client/thread-event.js';
import type { TimelineEntry } from './timeline.js';

/** An agent that another agent started. */
export interface SubAgent {
  readonly agentId: string;
  /** What kind of agent it is, as its runtime calls it. */
  readonly kind: string;
  /** What it was asked for, where the call that started it is known. */
  readonly task: string;
  readonly startedAt: string;
  readonly isRunning: boolean;
  /** What it said in the end. */
  readonly said: string;
  /** How many tools it called itself. */
  readonly calls: number;
  readonly children: readonly SubAgent[];
}

interface Found {
  readonly agentId: string;
  readonly kind: string;
  readonly startedAt: string;
  readonly startedBy: string | undefined;
  /** How many were found before it. */
  readonly place: number;
  isRunning: boolean;
  said: string;
}

// Looked at first, because most events are none of these and reading one costs.
const telling = new Set(['subagent_started', 'subagent_stopped', 'subagent_output']);

/** The sub-agents that a thread's events tell of, each below the one that started it, the oldest first. */
export function subAgents(
  events: readonly FollowedEvent[],
  entries: readonly TimelineEntry[],
): readonly SubAgent[] {
  const found = foundIn(events);
  if (found.size === 0) return [];
  const calls = new Map<string, number>();
  const startedBy = new Map<string, { readonly task: string; readonly agentId: string | undefined }>();
  for (const entry of entries) {
    if (entry.type !== 'tool_call') continue;
    const { agentId, toolUseId, params = {} } = entry;
    if (agentId !== undefined) calls.set(agentId, (calls.get(agentId) ?? 0) + 1);
    const { description } = params;
    startedBy.set(toolUseId, { task: typeof description === 'string' ? description : '', agentId });
  }
  const below = new Map<string | undefined, Found[]>();
  for (const agent of found.values()) {
    const parent = parentOf(agent, startedBy, found);
    const siblings = below.get(parent);
    if (siblings) siblings.push(agent);
    else below.set(parent, [agent]);
  }
  const shown = ({ startedBy: call, place: _place, ...agent }: Found): SubAgent => ({
    ...agent,
    task: call === undefined ? '' : (startedBy.get(call)?.task ?? ''),
    calls: calls.get(agent.agentId) ?? 0,
    children: (below.get(agent.agentId) ?? []).map(shown),
  });
  return (below.get(undefined) ?? []).map(shown);
}

function foundIn(events: readonly FollowedEvent[]): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const event of events) {
    if (!telling.has(event.type)) continue;
    const fact = factOf(event);
    if (fact?.type === 'subagent_started' && !found.has(fact.agentId)) {
      found.set(fact.agentId, {
        agentId: fact.agentId,
        kind: fact.agentType,
        startedAt: event.timestamp,
        startedBy: fact.parentToolUseId,
        place: found.size,
        isRunning: true,
        said: '',
      });
    }
    if (fact?.type === 'subagent_output') {
      const agent = found.get(fact.agentId);
      if (agent) agent.said = fact.agentOutput;
    }
    if (fact?.type === 'subagent_stopped') {
      const agent = found.get(fact.agentId);
      if (agent) agent.isRunning = false;
    }
  }
  return found;
}

/** The agent whose call started another one; an agent that began later than it, as no honest one does, started nothing. */
function parentOf(
  { place, startedBy: call }: Found,
  calls: ReadonlyMap<string, { readonly agentId: string | undefined }>,
  found: ReadonlyMap<string, Found>,
): string | undefined {
  const id = call === undefined ? undefined : calls.get(call)?.agentId;
  const parent = id === undefined ? undefined : found.get(id);
  return parent && parent.place < place ? id : undefined;
}
