import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Cut, type Machine, missingForNetworks, PrivateNetwork } from '../../harness/private-network.js';
import { TcpLink } from '../../harness/tcp-link.js';
import { ChaosDatabase } from './chaos-database.js';

/** How a worker reaches the database: over a wire, or a proxy, that can be cut in silence. */
export interface ChaosWay {
  readonly isCut: boolean;
  readonly url: string;
  /** What comes before the command of the worker. */
  readonly before: readonly string[];
  cut(how: Cut): void;
  heal(): void;
}

/** The database, and three ways to it. */
export interface ChaosGround {
  readonly database: ChaosDatabase;
  readonly ways: readonly ChaosWay[];
  /** What stands between the workers and the database. */
  readonly kind: string;
}

/** Five machines with a network of their own; where none can be made, five ports with proxies, which it says. */
export async function openGround(model: {
  readonly port: number;
  readonly home: string;
}): Promise<ChaosGround> {
  const missing = missingForNetworks();
  if (missing !== null) return await openProxies(missing);
  const network = await PrivateNetwork.open();
  onTestFinished(async () => await network[Symbol.asyncDispose]());
  const pair = [await network.join(), await network.join()] as const;
  const database = await ChaosDatabase.start(pair);
  onTestFinished(async () => await database[Symbol.asyncDispose]());
  const socket = await modelSocket(model);
  const ways: ChaosWay[] = [];
  for (let made = 0; made < 3; made += 1) {
    const machine = await network.join();
    await relayModel(machine, { port: model.port, socket });
    ways.push({
      get isCut() {
        return machine.isCut;
      },
      url: database.url(),
      before: ['nsenter', ...machine.enter()],
      cut: (how) => machine.cut(how),
      heal: () => machine.heal(),
    });
  }
  return { database, ways, kind: 'network namespaces' };
}

async function openProxies(missing: string): Promise<ChaosGround> {
  console.log(`Ways are cut by proxies instead of network namespaces: ${missing}.`);
  const database = await ChaosDatabase.start();
  onTestFinished(async () => await database[Symbol.asyncDispose]());
  const ways: ChaosWay[] = [];
  for (let made = 0; made < 3; made += 1) {
    const links: TcpLink[] = [];
    for (const port of database.ports) {
      const link = await TcpLink.to(port);
      onTestFinished(async () => await link[Symbol.asyncDispose]());
      links.push(link);
    }
    ways.push({
      get isCut() {
        return links.some(({ isCut }) => isCut);
      },
      url: database.url(links.map(({ port }) => port)),
      before: [],
      cut: () => {
        for (const link of links) link.cut();
      },
      heal: () => {
        for (const link of links) link.heal();
      },
    });
  }
  return { database, ways, kind: 'proxies' };
}

/** The scripted model as a file, because files are the same on all machines. */
async function modelSocket({
  port,
  home,
}: {
  readonly port: number;
  readonly home: string;
}): Promise<string> {
  const path = join(home, 'model.sock');
  const server = createServer((near) => {
    const far = connect({ port, host: '127.0.0.1' });
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  }).listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return path;
}

/** The model at the address that agents know, on one machine. */
async function relayModel(
  machine: Machine,
  { port, socket }: { readonly port: number; readonly socket: string },
): Promise<void> {
  const file = new URL('./model-relay.js', import.meta.url).pathname;
  const relay: ChildProcess = spawn(
    'nsenter',
    [...machine.enter(), process.execPath, file, String(port), socket],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  onTestFinished(async () => {
    const gone = once(relay, 'exit');
    relay.stdin?.end();
    await gone;
  });
  await once(relay.stdout ?? relay, 'data');
}
