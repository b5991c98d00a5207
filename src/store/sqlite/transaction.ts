import type { Kysely } from 'kysely';
import type { Change } from '../change.js';
import type { WorkerIdentity } from '../unit.js';
import type { SqliteConnection } from './connection.js';
import type { Schema } from './schema.js';
import type { SearchTexts } from './search-texts.js';
import type { Sequences } from './sequences.js';

/** What an operation works with: the connection, in whose name, the numbers of events, the words to be found, and where it says what it changed. */
export class Transaction {
  readonly connection: SqliteConnection;
  readonly worker: WorkerIdentity;
  readonly sequences: Sequences;
  readonly searchTexts: SearchTexts;
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

  changed(change: Change): void {
    this.changes.push(change);
  }
}
