// The program of the store's thread. It ends when its store has closed it.
import { once } from 'node:events';
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { GroupCommit } from './group-commit.js';
import { failureData, type Opened, type StoreReply, type StoreRequest, type ThreadStart } from './message.js';
import { openDatabase } from './open-database.js';
import { RequestServer } from './request-server.js';
import { sqliteFailure } from './sqlite-failure.js';

// Long enough that a turn is seldom written in two parts.
const indexEveryMs = 2000;

if (parentPort) await run(parentPort, await startOf(parentPort));

/** Its first message, so that it can be loaded before anybody knows what it is to open. */
async function startOf(port: MessagePort): Promise<ThreadStart> {
  const [start] = await once(port, 'message');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own store sends it
  return start as ThreadStart;
}

async function run(port: MessagePort, start: ThreadStart): Promise<void> {
  const say = (opened: Opened) => port.postMessage(opened);
  try {
    const { connection, worker } = await openDatabase(start);
    const server = new RequestServer({
      connection,
      group: new GroupCommit(connection, worker),
      file: start.file,
      receive: () => received(receiveMessageOnPort(port)?.message),
      send: (replies: readonly StoreReply[]) => port.postMessage(replies),
      later: (task) => setTimeout(task, indexEveryMs),
    });
    port.on('message', (message: unknown) => {
      const requests = received(message);
      server.serve(requests);
    });
    say({ kind: 'opened', worker });
  } catch (error) {
    say({ kind: 'failed', failure: failureData(sqliteFailure(error, start.file)) });
  }
}

function received(message: unknown): readonly StoreRequest[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own store sends these
  return (message ?? []) as readonly StoreRequest[];
}
