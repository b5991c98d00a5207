import { isSilent } from '../domain/worker/silence.js';
import type { WorkerSight } from '../host/workers/worker-watch.js';

// More runtimes than anybody has; a label that grows without end would fill the memory of whoever keeps the metrics.
const mostRuntimes = 50;

/** What the process itself is. */
export interface ProcessFacts {
  readonly version: string;
  readonly now: number;
  readonly startedAt: number;
  readonly residentBytes: number;
  readonly cpuSeconds: number;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [value: number, labels?: Labels];

/** The metrics of a worker in the text format of Prometheus. */
export function metricsText(sight: WorkerSight, process: ProcessFacts): string {
  const { dispatches, openPrompts, oldestPromptAt, unsent, workers, self, usage, telemetry } = sight;
  const { now } = process;
  const own = workers.find(({ id }) => id === self);
  const standings = workers.map((worker) => {
    if (worker.drainingSince !== undefined) return 'draining';
    return isSilent(worker, { self, now }) ? 'silent' : 'live';
  });
  const runtimes = usage.slice(0, mostRuntimes);
  const oldest = oldestPromptAt === null ? 0 : Math.max(0, now - Date.parse(oldestPromptAt)) / 1000;
  return [
    metric('handraise_build_info', 'gauge', 'The version that runs.', [[1, { version: process.version }]]),
    metric(
      'handraise_dispatches',
      'gauge',
      'Work that has not ended, of all workers of the store.',
      Object.entries(dispatches).map(([state, count]) => [count, { state }]),
    ),
    metric('handraise_prompts_open', 'gauge', 'Questions without an answer, of all workers of the store.', [
      [openPrompts],
    ]),
    metric('handraise_prompt_oldest_seconds', 'gauge', 'How long the oldest question has waited.', [
      [oldest],
    ]),
    metric('handraise_notifications_unsent', 'gauge', 'Notifications that were not sent yet.', [[unsent]]),
    metric(
      'handraise_workers',
      'gauge',
      'Workers of the store.',
      ['live', 'silent', 'draining'].map((state) => [
        standings.filter((each) => each === state).length,
        { state },
      ]),
    ),
    metric('handraise_slots', 'gauge', 'How many agents may work here at a time.', [
      [own?.profile?.slots ?? 0],
    ]),
    metric('handraise_slots_used', 'gauge', 'Work that is under way here, waiting for a person included.', [
      [own?.underWay ?? 0],
    ]),
    metric(
      'handraise_tokens_total',
      'counter',
      'Tokens that agents have used.',
      runtimes.flatMap(({ key, usage: { inputTokens, outputTokens } }) => [
        [inputTokens, { runtime: key, direction: 'input' }] as const,
        [outputTokens, { runtime: key, direction: 'output' }] as const,
      ]),
    ),
    metric(
      'handraise_cost_usd_total',
      'counter',
      'What agents have cost, where they say so.',
      runtimes.map(({ key, usage: { costUsd } }) => [costUsd ?? 0, { runtime: key }]),
    ),
    ...(telemetry
      ? [
          metric('handraise_telemetry_spans_total', 'counter', 'Spans of traces that were made here.', [
            [telemetry.sent, { result: 'sent' }],
            [telemetry.dropped, { result: 'dropped' }],
          ]),
        ]
      : []),
    metric('process_resident_memory_bytes', 'gauge', 'Memory of the worker.', [[process.residentBytes]]),
    metric('process_cpu_seconds_total', 'counter', 'Processor time of the worker.', [[process.cpuSeconds]]),
    metric('process_start_time_seconds', 'gauge', 'When the worker started.', [[process.startedAt / 1000]]),
  ].join('');
}

function metric(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([value, labels = {}]) => `${name}${labelText(labels)} ${value}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
