import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** Somebody who took a port, writes down every byte that comes, and answers what the test says. */
export interface RecordingListener extends AsyncDisposable {
  readonly port: number;
  readonly heard: () => string;
  readonly connections: () => number;
}

export async function openRecordingListener(
  options: { readonly port?: number; readonly answer?: (text: string, socket: Socket) => void } = {},
): Promise<RecordingListener> {
  let heard = '';
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      options.answer?.(chunk.toString('latin1'), socket);
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    heard: () => heard,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
