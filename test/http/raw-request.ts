import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes as they are, as no well-behaved client would, and gives what comes back until the end. */
export async function rawRequest(port: number, lines: readonly string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let reply = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    reply += text;
  });
  socket.on('error', () => {});
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  await once(socket, 'close');
  return reply;
}

/** The status of a raw reply. */
export function statusOf(reply: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(reply)?.[1]);
}
