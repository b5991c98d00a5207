import { createServer } from 'node:net';
import { LineSplitter } from '../process/line-splitter.js';
import { ownIdentity } from '../process/own-identity.js';
import { detachedProtocol, LaunchFrame, type SpareFrame } from '../protocol/detached.js';
import { bindPrivately } from './private-socket.js';

const maxLaunchBytes = 16 * 2 ** 20;
const lookForParentMs = 500;

/**
 * Waits warm, with everything loaded, until a worker makes a run of this process.
 * Null when the worker goes without doing so: a spare belongs to the worker that started it.
 */
export async function waitForLaunch(path: string, parent: number): Promise<LaunchFrame | null> {
  const greeting: SpareFrame = { type: 'spare', protocol: detachedProtocol, ...ownIdentity() };
  return await new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      clearInterval(watch);
      const settle = (frame: LaunchFrame | null) => {
        server.close();
        socket.end(frame ? `${JSON.stringify({ type: 'launched', runId: frame.runId })}\n` : '');
        resolve(frame);
      };
      // Read by hand: leaving a loop over the socket would destroy it before the answer is out.
      const splitter = new LineSplitter({ maxBytes: maxLaunchBytes });
      socket.on('data', (chunk: Buffer) => {
        for (const line of splitter.push(chunk)) settle(line.kind === 'line' ? readLaunch(line.text) : null);
      });
      socket.once('close', () => settle(null));
      socket.on('error', () => socket.destroy());
      socket.write(`${JSON.stringify(greeting)}\n`);
    });
    // A worker that dies before it has connected leaves a spare that nobody knows of. It may be dead by now, so that
    // its pid was told at the start.
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      server.close();
      resolve(null);
    }, lookForParentMs);
    bindPrivately(server, path).catch(reject);
  });
}

function readLaunch(text: string): LaunchFrame | null {
  try {
    return LaunchFrame.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
