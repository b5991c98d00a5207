import type { Kysely, RawBuilder } from 'kysely';
import type { ThreadId } from '../../protocol/id.js';
import type { Change } from '../change.js';
import type { Appended, Operation } from '../operation.js';
import { DispatchRows } from '../sql/dispatch-rows.js';
import type { Schema } from '../sql/schema.js';
import { type Steps, withoutSteps } from '../sql/steps.js';
import type { SearchText, Transaction } from '../sql/transaction.js';
import type { WorkerIdentity } from '../unit.js';
import type { SqliteConnection } from './connection.js';
import { appendEvents } from './events.js';
import type { SearchTexts } from './search-texts.js';
import type { Sequences } from './sequences.js';
import type { SqliteDialect } from './sqlite-dialect.js';

/** A unit in the open transaction of its group; numbers and words are written at the end of the group. */
export class SqliteTransaction implements Transaction {
  readonly connection: SqliteConnection;
  readonly worker: WorkerIdentity;
  readonly sequences: Sequences;
  readonly searchTexts: SearchTexts;
  readonly locksRows = false;
  readonly ownerColumns = {};
  readonly dispatches = new DispatchRows();
  readonly changes: Change[] = [];

  constructor(options: {
    readonly connection: SqliteConnection;
    readonly worker: WorkerIdentity;
    readonly sequences: Sequences;
    readonly searchTexts: SearchTexts;
  }) {
    this.connection = options.connection;
    this.worker = options.worker;
    this.sequences = options.sequences;
    this.searchTexts = options.searchTexts;
  }

  get build(): Kysely<Schema> {
    return this.connection.build;
  }

  get dialect(): SqliteDialect {
    return this.connection.dialect;
  }

  isOwnThread(): RawBuilder<boolean> {
    return this.connection.isOwnThread();
  }

  isOwnRow(): RawBuilder<boolean> {
    return this.connection.isOwnRow();
  }

  changed(change: Change): void {
    this.changes.push(change);
  }

  appendEvents(operation: Operation<'appendEvents'>): Steps<Appended> {
    return withoutSteps(appendEvents(this, operation));
  }

  addSearchText(text: SearchText): Steps<void> {
    return withoutSteps(this.searchTexts.add(text));
  }

  removeSearchTexts(threadId: ThreadId, range?: { readonly from: number; readonly to: number }): Steps<void> {
    return withoutSteps(this.searchTexts.remove(threadId, range));
  }

  writeSequences(): Steps<void> {
    return withoutSteps(this.sequences.write());
  }
}
