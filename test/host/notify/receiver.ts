import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request as the other side got it. */
export interface Call {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on loopback that keeps what it got; the test that opened it closes it. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly calls: readonly Call[];
}

type Answer = (response: ServerResponse, call: Call) => void;

/** Opens a receiver; without an answer of the test's own it says 204. */
export async function openReceiver(
  answer: Answer = (response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const calls: Call[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const call = { path: request.url ?? '', headers: request.headers, body: await text(request) };
    calls.push(call);
    answer(response, call);
  };
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, calls };
}
