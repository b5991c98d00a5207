import { type RawBuilder, sql } from 'kysely';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import { UsageTotal } from '../usage-total.js';
import type { Reader } from './reader.js';
import { all, change, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* addUsage(tx: Transaction, operation: Operation<'addUsage'>): Steps<Changed> {
  const { threadId, runtime, at, usage } = operation;
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
        day: at.slice(0, 'yyyy-mm-dd'.length),
        runtime,
        thread_id: threadId,
        input_tokens: inputTokens,
        output_tokens: outputTokens,
        cost_usd: costUsd,
      })
      .onConflict((conflict) =>
        conflict.columns(['day', 'runtime', 'thread_id']).doUpdateSet((its) => ({
          input_tokens: its('usage.input_tokens', '+', inputTokens),
          output_tokens: its('usage.output_tokens', '+', outputTokens),
          cost_usd: knownSum('usage.cost_usd', costUsd),
        })),
      ),
  );
  return { changed };
}

export function* readUsage(reader: Reader, { by }: InputOf<'usage'>): Steps<UsageTotal[]> {
  const { build } = reader;
  const counted = ['input_tokens', 'output_tokens', 'cost_usd'] as const;
  const key = by === 'thread' ? 'thread_id' : by;
  const present = build.selectFrom('usage').select([sql.ref<string>(key).as('key'), ...counted]);
  // What removed threads cost is known by day and by runtime only.
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
      ])
      .groupBy('key')
      .orderBy('key'),
  );
  return rows.map(({ key: of, ...usage }) => UsageTotal.parse({ key: of, usage }));
}

// A cost that nobody knows adds nothing, and does not make the known part unknown.
function knownSum(column: string, costUsd: number | null): RawBuilder<number | null> {
  return sql`coalesce(${sql.ref(column)} + ${costUsd}, ${sql.ref(column)}, ${costUsd})`;
}
