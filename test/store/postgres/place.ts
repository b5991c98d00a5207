import { PostgresStore } from '../../../src/store/postgres/postgres-store.js';
import type { StorePlace } from '../../contract/store/place.js';
import { at, id } from '../../contract/store/records.js';
import type { PostgresServer } from '../../harness/postgres-server.js';

/** A database of its own on a server. */
export interface PostgresPlace extends StorePlace {
  readonly url: string;
  readonly database: string;
  open(worker?: { readonly name: string }): Promise<PostgresStore>;
}

export async function postgresPlace(server: PostgresServer): Promise<PostgresPlace> {
  const database = await server.createDatabase();
  const url = server.url(database);
  return {
    url,
    database,
    open: ({ name } = { name: 'here' }) =>
      PostgresStore.open({ url, worker: { id: id('worker'), name, startedAt: at(0) } }),
    remove: () => server.dropDatabase(database),
  };
}
