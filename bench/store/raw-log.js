import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';

/** The text of every benchmarked event, about 180 bytes as a short line of an agent's is. */
export const text = JSON.stringify({ type: 'assistant_text', content: 'word '.repeat(24), runSeq: 1 });

/** What one would write first: libsql on the main thread, the same columns and indexes, nothing around it. */
export class RawLog {
  #grouped;
  #database;
  #insert;
  #seqs = new Map();
  #commits = 0;
  /** @type {{ rows: unknown[][], resolve: () => void }[]} */
  #waiting = [];

  /** @param {string} file @param {{ grouped: boolean }} options */
  constructor(file, { grouped }) {
    mkdirSync(dirname(file), { recursive: true });
    this.#grouped = grouped;
    this.#database = new Database(file);
    this.#database.pragma('locking_mode = EXCLUSIVE');
    this.#database.pragma('journal_mode = WAL');
    this.#database.pragma('synchronous = FULL');
    this.#database.exec(`create table events (thread_id text, seq integer, run_id text, run_seq integer, type text,
      timestamp text, json text, primary key (thread_id, seq)) without rowid;
      create unique index events_by_run on events (run_id, run_seq)`);
    this.#insert = this.#database.prepare('insert into events values (?, ?, ?, ?, ?, ?, ?)');
  }

  /** @param {number} producer @param {number} count @returns {Promise<void>} */
  append(producer, count) {
    const timestamp = new Date().toISOString();
    const rows = Array.from({ length: count }, () => {
      const seq = (this.#seqs.get(producer) ?? 0) + 1;
      this.#seqs.set(producer, seq);
      const thread = `thr_0000000000000000000000000${producer}`;
      return [thread, seq, `run${thread}`, seq, 'assistant_text', timestamp, text];
    });
    if (!this.#grouped) {
      for (const row of rows) this.#write([row]);
      return Promise.resolve();
    }
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    return new Promise((resolve) => {
      this.#waiting.push({ rows, resolve });
    });
  }

  async commits() {
    return this.#commits;
  }

  async close() {
    this.#database.close();
  }

  #flush() {
    const group = this.#waiting;
    this.#waiting = [];
    this.#write(group.flatMap(({ rows }) => rows));
    for (const { resolve } of group) resolve();
  }

  /** @param {unknown[][]} rows */
  #write(rows) {
    this.#database.exec('begin');
    for (const row of rows) this.#insert.run(row);
    this.#database.exec('commit');
    this.#commits += 1;
  }
}
