import type { PostgresConnection } from './postgres-connection.js';

/** What decides whether an answer that was acknowledged outlives the server that has it. */
export interface Standbys {
  /** The setting `synchronous_standby_names`; empty where commits wait for nobody. */
  readonly synchronousNames: string;
  /** The setting `synchronous_commit`, as it is for this user and database. */
  readonly synchronousCommit: string;
  /** How many copies are fed by the server now. */
  readonly connected: number;
  /** How many servers the store URL names. */
  readonly servers: number;
}

/** Asks the server; everybody may know how many standbys there are, and only some which. */
export async function readStandbys(connection: PostgresConnection, servers: number): Promise<Standbys> {
  const { rows } = await connection.query(
    `select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commits,
       (select count(*) from pg_stat_replication) as connected`,
  );
  const { names, commits, connected } = Object(rows[0]);
  return {
    synchronousNames: String(names).trim(),
    synchronousCommit: String(commits),
    connected: Number(connected),
    servers,
  };
}

/** What can be lost, and what to set; null where nothing can, or where there is nothing to fail over to. */
export function standbyWarning({
  synchronousNames,
  synchronousCommit,
  connected,
  servers,
}: Standbys): string | null {
  if (synchronousCommit === 'off')
    return 'PostgreSQL acknowledges commits before they are on its disk (synchronous_commit is off): a crash of the server can lose answers that people gave. Set synchronous_commit to on.';
  const hasStandbys = connected > 0 || servers > 1 || synchronousNames !== '';
  if (!hasStandbys) return null;
  if (synchronousNames === '')
    return "PostgreSQL has standbys, and its commits wait for none of them (synchronous_standby_names is empty): if one is promoted, answers that people gave shortly before can be lost. Set synchronous_standby_names on the server, for example to 'ANY 1 (*)'.";
  if (synchronousCommit === 'local')
    return 'PostgreSQL has synchronous standbys, and the commits of this user or database do not wait for them (synchronous_commit is local): if one is promoted, answers that people gave shortly before can be lost. Set synchronous_commit to on.';
  return null;
}
