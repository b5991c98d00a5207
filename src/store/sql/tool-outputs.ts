import * as z from 'zod';
import { outputPart, type ToolOutputPart } from '../../protocol/tool-output.js';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import { fromJson } from './json-column.js';
import type { Reader } from './reader.js';
import { change, firstRow, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* putToolOutput(tx: Transaction, operation: Operation<'putToolOutput'>): Steps<Changed> {
  const { threadId, toolUseId } = operation;
  const { build } = tx;
  const thread = build.selectFrom('threads').select('id').where('id', '=', threadId);
  if (!(yield* firstRow(thread))) throw new UnitRefused(null);
  const text = JSON.stringify(operation.text);
  const changed = yield* change(
    build
      .insertInto('tool_outputs')
      .values({ thread_id: threadId, tool_use_id: toolUseId, text })
      .onConflict((conflict) => conflict.columns(['thread_id', 'tool_use_id']).doUpdateSet({ text })),
  );
  return { changed };
}

export function* readToolOutput(reader: Reader, query: InputOf<'toolOutput'>): Steps<ToolOutputPart | null> {
  const row = yield* firstRow(
    reader.build
      .selectFrom('tool_outputs')
      .select('text')
      .where('thread_id', '=', query.threadId)
      .where('tool_use_id', '=', query.toolUseId),
  );
  return row ? outputPart(z.string().parse(fromJson(row.text)), query) : null;
}
