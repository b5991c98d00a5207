import type { ThreadId } from '../../protocol/id.js';
import type { Change } from '../change.js';
import type { Appended, Operation } from '../operation.js';
import { DispatchRows } from '../sql/dispatch-rows.js';
import { change, type Steps, withoutSteps } from '../sql/steps.js';
import type { SearchText, Transaction } from '../sql/transaction.js';
import type { WorkerIdentity } from '../unit.js';
import { addSearchTexts, appendEventBatch } from './append-events.js';
import { PostgresReader } from './postgres-reader.js';

/** A unit in an open transaction. What it reads by id stays locked until the end, because other workers write too. */
export class PostgresTransaction extends PostgresReader implements Transaction {
  readonly worker: WorkerIdentity;
  override readonly locksRows = true;
  readonly changes: Change[] = [];

  readonly dispatches: DispatchRows;

  constructor(worker: WorkerIdentity, dispatches = new DispatchRows()) {
    super(worker.id);
    this.worker = worker;
    this.dispatches = dispatches;
  }

  changed(changed: Change): void {
    this.changes.push(changed);
  }

  appendEvents(operation: Operation<'appendEvents'>): Steps<Appended> {
    return appendEventBatch(this, operation);
  }

  addSearchText(text: SearchText): Steps<void> {
    return addSearchTexts(text.threadId, [text]);
  }

  *removeSearchTexts(
    threadId: ThreadId,
    { from, to }: { readonly from: number; readonly to: number } = { from: 0, to: 2 ** 31 - 1 },
  ): Steps<void> {
    yield* change(
      this.build
        .deleteFrom('search_texts')
        .where('thread_id', '=', threadId)
        .where('seq', '>=', from)
        .where('seq', '<=', to),
    );
  }

  writeSequences(): Steps<void> {
    return withoutSteps(undefined);
  }
}
