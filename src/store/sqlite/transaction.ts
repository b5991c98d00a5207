import type { Kysely } from 'kysely';
import type { Change } from '../change.js';
import type { Schema } from '../schema.js';
import type { WorkerIdentity } from '../unit.js';
import type { Connection } from './connection.js';
import type { Sequences } from './sequences.js';

/** What an operation works with: the connection, in whose name, the numbers of events, and where it says what it changed. */
export class Transaction {
  readonly connection: Connection;
  readonly worker: WorkerIdentity;
  readonly sequences: Sequences;
  readonly changes: Change[] = [];

  constructor(options: {
    readonly connection: Connection;
    readonly worker: WorkerIdentity;
    readonly sequences: Sequences;
  }) {
    this.connection = options.connection;
    this.worker = options.worker;
    this.sequences = options.sequences;
  }

  get build(): Kysely<Schema> {
    return this.connection.build;
  }

  changed(change: Change): void {
    this.changes.push(change);
  }
}
