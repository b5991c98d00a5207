/** A table that both databases have, and the columns by which its rows are in order; all of them tell two rows apart. */
export interface MovedTable {
  readonly name: string;
  readonly key: readonly [string, ...string[]];
}

const numbered = (name: string): MovedTable => ({ name, key: ['n'] });

/** Everything that is kept, each after those that it refers to. What is searched for is made anew from it. */
export const movedTables: readonly MovedTable[] = [
  { name: 'workers', key: ['id'] },
  numbered('threads'),
  numbered('runs'),
  numbered('dispatches'),
  { name: 'attempts', key: ['dispatch_id', 'attempt'] },
  { name: 'events', key: ['thread_id', 'seq'] },
  { name: 'tool_outputs', key: ['thread_id', 'tool_use_id'] },
  numbered('prompts'),
  numbered('status_log'),
  { name: 'usage', key: ['day', 'runtime', 'thread_id', 'status'] },
  { name: 'removed_usage', key: ['day', 'runtime', 'status'] },
  numbered('landings'),
  numbered('review_comments'),
  numbered('schedules'),
  numbered('schedule_runs'),
  numbered('pipelines'),
  { name: 'pipeline_phases', key: ['pipeline_id', 'key'] },
  numbered('outbox'),
  numbered('rules'),
];
