import { readdirSync, readFileSync } from 'node:fs';
import { Client } from 'pg';
import { ask } from '../shared/postgres.js';

const database = 'scale';
const msPerTick = 10;
const textLength = 110;

const totals = `
  select xact_commit as commits, tup_inserted + tup_updated + tup_deleted as "rows written", tup_fetched + tup_returned as "rows read",
    (select wal_bytes from pg_stat_wal) / 1000.0 as "kB of log", pg_database_size(datname) / 1000.0 as "kB of tables"
  from pg_stat_database where datname = '${database}'`;

/** What a server did between two looks. */
export class Counted {
  /** @param {Record<string, number>} numbers @param {readonly { text: string, calls: number, ms: number }[]} said */
  constructor(numbers, said) {
    this.numbers = numbers;
    this.said = said;
  }

  /** The statements that were said most often. @param {number} pieces @param {number} most */
  statements(pieces, most) {
    return this.said
      .toSorted((one, other) => other.calls - one.calls)
      .slice(0, most)
      .map(
        ({ text, calls, ms }) =>
          `${(calls / pieces).toFixed(2).padStart(8)} × ${(ms / calls).toFixed(2).padStart(7)} ms  ${text}`,
      );
  }
}

/** Counts of a server and of one database in it, taken over a connection that counts itself as little as it can. */
export class ServerCounts {
  /** @param {Client} client @param {{ readonly url: string, readonly pid: number }} place */
  constructor(client, { url, pid }) {
    this.client = client;
    this.url = url;
    this.pid = pid;
  }

  /** @param {{ readonly pid: number, readonly url: (database: string) => string }} server */
  static async open(server) {
    await ask(server.url('postgres'), `create database ${database}`);
    const client = new Client({ connectionString: server.url('postgres') });
    await client.connect();
    await client.query('create extension pg_stat_statements');
    return new ServerCounts(client, { url: server.url(database), pid: server.pid });
  }

  /** @param {() => Promise<void>} deed */
  async during(deed) {
    await this.client.query('select pg_stat_statements_reset()');
    const before = await this.look();
    await deed();
    const after = await this.look();
    const said = await this.said();
    const calls = said.reduce((sum, each) => sum + each.calls, 0);
    const told = said.find(({ text }) => text.includes('pg_notify'))?.calls ?? 0;
    const numbers = Object.fromEntries(
      Object.entries(after).map(([name, number]) => [name, number - (before[name] ?? 0)]),
    );
    return new Counted({ statements: calls, notices: told, ...numbers }, said);
  }

  async close() {
    await this.client.end();
  }

  async connections() {
    const { rows } = await this.client.query(
      `select count(*)::int as count from pg_stat_activity where datname = '${database}'`,
    );
    return Number(rows[0]?.count);
  }

  /** @returns {Promise<Record<string, number>>} */
  async look() {
    const { rows } = await this.client.query(totals);
    const numbers = Object.entries(Object(rows[0])).map(([name, number]) => [name, Number(number)]);
    return { ...Object.fromEntries(numbers), 'server, processor, ms': this.cpuMs() };
  }

  async said() {
    const { rows } = await this.client.query(`
      select query, calls::int, total_exec_time from pg_stat_statements
      where dbid = (select oid from pg_database where datname = '${database}')`);
    return rows.map(({ query, calls, total_exec_time: ms }) => ({
      text: String(query).replaceAll(/\s+/g, ' ').slice(0, textLength),
      calls: Number(calls),
      ms: Number(ms),
    }));
  }

  /** What the server's processes have used; 0 where the system does not say. */
  cpuMs() {
    if (process.platform !== 'linux') return 0;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .reduce((sum, name) => sum + ticksOf(Number(name), this.pid) * msPerTick, 0);
  }
}

/** @param {number} pid @param {number} server */
function ticksOf(pid, server) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
    if (pid === server) return user + system + endedUser + endedSystem;
    return fields[1] === server ? user + system : 0;
  } catch {
    return 0;
  }
}
