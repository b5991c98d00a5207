import type { EventBody } from '../protocol/event.js';
import type { TurnStats } from '../protocol/turn-result.js';

type Counter = 'subAgents' | 'filesRead' | 'filesWritten' | 'bashCommands' | 'webSearches';

const counterOf: Record<string, Counter> = {
  Agent: 'subAgents',
  Task: 'subAgents',
  Read: 'filesRead',
  Glob: 'filesRead',
  Grep: 'filesRead',
  Write: 'filesWritten',
  Edit: 'filesWritten',
  Bash: 'bashCommands',
  WebSearch: 'webSearches',
  WebFetch: 'webSearches',
};

/** A turn in which nothing happened yet. */
export function emptyStats(): TurnStats {
  return {
    toolCalls: 0,
    toolsByType: {},
    subAgents: 0,
    filesRead: 0,
    filesWritten: 0,
    bashCommands: 0,
    webSearches: 0,
    totalToolDurationMs: 0,
  };
}

/** The statistics of a turn after one more tool began or ended. */
export function countTool(stats: TurnStats, event: EventBody<'tool_start' | 'tool_end'>): TurnStats {
  if (event.type === 'tool_end') {
    return { ...stats, totalToolDurationMs: stats.totalToolDurationMs + event.duration };
  }
  const counter = counterOf[event.tool];
  return {
    ...stats,
    toolCalls: stats.toolCalls + 1,
    toolsByType: { ...stats.toolsByType, [event.tool]: (stats.toolsByType[event.tool] ?? 0) + 1 },
    ...(counter ? { [counter]: stats[counter] + 1 } : {}),
  };
}
