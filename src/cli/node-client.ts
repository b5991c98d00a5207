import { Client } from '../client/client.js';
import { homeFolder } from '../compose.js';
import { Failure } from '../protocol/failure.js';
import { workerAddress } from './worker-address.js';

/**
 * A client, for programs in Node, of the worker of a home. Each connection proves that it leads to that worker before the
 * owner's token goes over it, and after every break the worker is looked for again, so that one on another port is found.
 */
export function homeClient(home: string = homeFolder(process.env)): Client {
  return new Client({
    locate: async () => {
      const address = await workerAddress(home);
      if (address) return address;
      throw new Failure('unavailable', 'No worker is running. Start one with: handraise up');
    },
  });
}
