import { createServer, type Socket } from 'node:net';
import { ownIdentity } from '../process/own-identity.js';
import { readLines } from '../process/read-lines.js';
import { detachedProtocol, LaunchFrame, type SpareFrame } from '../protocol/detached.js';
import { bindPrivately } from './private-socket.js';

const maxLaunchBytes = 16 * 2 ** 20;
// A worker connects at once; one that died in between must not leave a spare for ever.
const firstContactMs = 60_000;

/**
 * Waits warm, with everything loaded, until a worker makes a run of this process.
 * Null when the worker goes without doing so: a spare belongs to the worker that started it.
 */
export async function waitForLaunch(path: string): Promise<LaunchFrame | null> {
  const greeting: SpareFrame = { type: 'spare', protocol: detachedProtocol, ...ownIdentity() };
  return await new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      clearTimeout(lonely);
      socket.on('error', () => socket.destroy());
      socket.write(`${JSON.stringify(greeting)}\n`);
      const settle = (frame: LaunchFrame | null) => {
        server.close();
        socket.end(frame ? `${JSON.stringify({ type: 'launched', runId: frame.runId })}\n` : '');
        resolve(frame);
      };
      void readLaunch(socket).then(settle, () => settle(null));
    });
    const lonely = setTimeout(() => {
      server.close();
      resolve(null);
    }, firstContactMs);
    bindPrivately(server, path).catch(reject);
  });
}

async function readLaunch(socket: Socket): Promise<LaunchFrame | null> {
  for await (const line of readLines(socket, { maxBytes: maxLaunchBytes })) {
    if (line.kind !== 'line') continue;
    const frame = LaunchFrame.safeParse(JSON.parse(line.text));
    if (frame.success) return frame.data;
  }
  return null;
}
