import * as z from 'zod';
import { outputPart, type ToolOutputPart } from '../../protocol/tool-output.js';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import type { SqliteConnection } from './connection.js';
import { fromJson } from './json-column.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function putToolOutput(tx: Transaction, operation: Operation<'putToolOutput'>): Changed {
  const { threadId, toolUseId } = operation;
  const { connection, build } = tx;
  const thread = build.selectFrom('threads').select('id').where('id', '=', threadId);
  if (!connection.first(thread)) throw new UnitRefused(null);
  const text = JSON.stringify(operation.text);
  const changed = connection.run(
    build
      .insertInto('tool_outputs')
      .values({ thread_id: threadId, tool_use_id: toolUseId, text })
      .onConflict((conflict) => conflict.columns(['thread_id', 'tool_use_id']).doUpdateSet({ text })),
  );
  return { changed };
}

export function readToolOutput(
  connection: SqliteConnection,
  query: InputOf<'toolOutput'>,
): ToolOutputPart | null {
  const row = connection.first(
    connection.build
      .selectFrom('tool_outputs')
      .select('text')
      .where('thread_id', '=', query.threadId)
      .where('tool_use_id', '=', query.toolUseId),
  );
  return row ? outputPart(z.string().parse(fromJson(row.text)), query) : null;
}
