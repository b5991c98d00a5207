// @module-tag full
import { afterAll, beforeAll, describe } from 'vitest';
import { PostgresServer } from '../../harness/postgres-server.js';
import { postgresPlace } from '../../store/postgres/place.js';
import { storeContract } from './contract.js';

let server: PostgresServer | undefined;

describe('the PostgreSQL store', () => {
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(async () => await server?.[Symbol.asyncDispose]());

  storeContract(async () => {
    if (!server) throw new Error('The server is up only while its tests run.');
    return await postgresPlace(server);
  });
});
