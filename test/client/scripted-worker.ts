import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as a scripted worker heard it. */
export interface HeardRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

type Reply = (response: ServerResponse) => void | Promise<void>;

/** A server that answers each request with the next reply of its script, the last one again and again. */
export interface ScriptedWorker extends AsyncDisposable {
  readonly url: string;
  readonly heard: HeardRequest[];
}

export async function scriptedWorker(replies: readonly Reply[]): Promise<ScriptedWorker> {
  const heard: HeardRequest[] = [];
  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const reply = replies[Math.min(heard.length, replies.length - 1)];
    heard.push({
      line: `${request.method} ${request.url}`,
      headers: request.headers,
      body: body === '' ? undefined : JSON.parse(body),
    });
    await reply?.(response);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function json(value: unknown, status = 200): Reply {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function problem(code: string, status: number, detail: string): Reply {
  const type = 'application/problem+json';
  return (response) =>
    void response
      .writeHead(status, { 'content-type': type })
      .end(JSON.stringify({ type: 'about:blank', title: code, status, detail, code }));
}

/** A stream of these frames that breaks off after them. */
export function broken(frames: string): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frames, () => setImmediate(() => response.destroy()));
  };
}

/** A stream of these frames that stays open. */
export function open(frames: string): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(frames);
  };
}

export function eventFrame(seq: number | null, fields: object = {}): string {
  const event = {
    ...(seq !== null && { seq }),
    type: 'warning',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: `${seq}`,
    ...fields,
  };
  return `${seq === null ? '' : `id: ${seq}\n`}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
