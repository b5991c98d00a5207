import { sql } from 'kysely';
import type { ResourceReport, ResourceUse } from '../../protocol/resource-use.js';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import { UsageTotal } from '../usage-total.js';
import { knownSum } from './known-sum.js';
import type { Reader } from './reader.js';
import { addScheduleSpent } from './schedules.js';
import { all, change, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* addUsage(tx: Transaction, operation: Operation<'addUsage'>): Steps<Changed> {
  const { threadId, usage } = operation;
  const { inputTokens, outputTokens, costUsd } = usage;
  const changed = yield* change(
    tx.build
      .updateTable('threads')
      .set((its) => ({
        input_tokens: its('input_tokens', '+', inputTokens),
        output_tokens: its('output_tokens', '+', outputTokens),
        cost_usd: knownSum('threads.cost_usd', costUsd),
      }))
      .where('id', '=', threadId),
  );
  if (changed === 0) throw new UnitRefused(null);
  tx.changed({ topic: 'thread', threadId });
  yield* change(
    tx.build
      .insertInto('usage')
      .values({
        ...place(operation),
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        cost_usd: costUsd,
      })
      .onConflict((conflict) =>
        conflict.columns(['day', 'runtime', 'thread_id', 'status']).doUpdateSet((its) => ({
          input_tokens: its('usage.input_tokens', '+', inputTokens),
          output_tokens: its('usage.output_tokens', '+', outputTokens),
          cost_usd: knownSum('usage.cost_usd', costUsd),
        })),
      ),
  );
  yield* addScheduleSpent(tx, operation);
  return { changed };
}

export function* addResources(tx: Transaction, operation: Operation<'addResources'>): Steps<Changed> {
  const { cpuMs, aliveMs, memoryByteSeconds, peakMemoryBytes } = operation.used;
  const changed = yield* change(
    tx.build
      .insertInto('usage')
      .values({
        ...place(operation),
        input_tokens: 0,
        output_tokens: 0,
        cost_usd: null,
        cpu_ms: cpuMs,
        alive_ms: aliveMs,
        memory_byte_seconds: memoryByteSeconds,
        peak_memory_bytes: peakMemoryBytes,
      })
      .onConflict((conflict) =>
        conflict.columns(['day', 'runtime', 'thread_id', 'status']).doUpdateSet((its) => ({
          cpu_ms: its('usage.cpu_ms', '+', cpuMs),
          alive_ms: its('usage.alive_ms', '+', aliveMs),
          memory_byte_seconds: its('usage.memory_byte_seconds', '+', memoryByteSeconds),
          peak_memory_bytes: sql`case when usage.peak_memory_bytes > excluded.peak_memory_bytes then usage.peak_memory_bytes else excluded.peak_memory_bytes end`,
        })),
      ),
  );
  return { changed };
}

/** Where something is counted: one row for each status of each thread and day, however long it lasted. */
function place({ at, runtime, threadId, status = 'unknown' }: Operation<'addUsage' | 'addResources'>): {
  day: string;
  runtime: string;
  thread_id: string;
  status: string;
} {
  return { day: at.slice(0, 'yyyy-mm-dd'.length), runtime, thread_id: threadId, status };
}

const counted = [
  'input_tokens',
  'output_tokens',
  'cost_usd',
  'cpu_ms',
  'alive_ms',
  'memory_byte_seconds',
  'peak_memory_bytes',
] as const;

export function* readUsage(reader: Reader, { by }: InputOf<'usage'>): Steps<UsageTotal[]> {
  const { build } = reader;
  const key = by === 'thread' ? 'thread_id' : by;
  const present = build.selectFrom('usage').select([sql.ref<string>(key).as('key'), ...counted]);
  // What removed threads used is known by day, runtime and status only.
  const spent =
    by === 'thread'
      ? present
      : present.unionAll(
          build.selectFrom('removed_usage').select([sql.ref<string>(by).as('key'), ...counted]),
        );
  const rows = yield* all(
    build
      .selectFrom(spent.as('spent'))
      .select((its) => [
        'key',
        its.fn.sum<number>('input_tokens').as('inputTokens'),
        its.fn.sum<number>('output_tokens').as('outputTokens'),
        its.fn.sum<number | null>('cost_usd').as('costUsd'),
        its.fn.sum<number>('cpu_ms').as('cpuMs'),
        its.fn.sum<number>('alive_ms').as('aliveMs'),
        its.fn.sum<number>('memory_byte_seconds').as('memoryByteSeconds'),
        its.fn.max<number>('peak_memory_bytes').as('peakMemoryBytes'),
      ])
      .groupBy('key')
      .orderBy('key'),
  );
  return rows.map(({ key: of, inputTokens, outputTokens, costUsd, ...used }) =>
    UsageTotal.parse({
      key: of,
      usage: { inputTokens, outputTokens, costUsd },
      ...(used.aliveMs > 0 ? { resources: resourcesOf(used) } : {}),
    }),
  );
}

function resourcesOf({ cpuMs, aliveMs, memoryByteSeconds, peakMemoryBytes }: ResourceUse): ResourceReport {
  return {
    cpuSeconds: cpuMs / 1000,
    aliveSeconds: aliveMs / 1000,
    meanMemoryBytes: memoryByteSeconds / (aliveMs / 1000),
    peakMemoryBytes,
  };
}
