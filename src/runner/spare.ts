import { createServer } from 'node:net';
import { LineSplitter } from '../process/children/line-splitter.js';
import { ownIdentity } from '../process/families/own-identity.js';
import { isLinkProof, newNonce } from '../process/link-proof.js';
import { detachedProtocol, LaunchFrame, type SpareFrame } from '../protocol/detached.js';
import { bindPrivately } from './private-socket.js';

const maxLaunchBytes = 16 * 2 ** 20;
const lookForParentMs = 500;
// Its worker connects first and stays; strangers beside it are few.
const mostConnections = 4;

/**
 * Waits warm, with everything loaded, until its worker makes a run of this process.
 * Null when the worker goes without doing so: a spare belongs to the worker that started it. Whoever else connects,
 * and does not know the secret, is sent away and changes nothing.
 */
export async function waitForLaunch(
  path: string,
  { parent, secret }: { readonly parent: number; readonly secret: string },
): Promise<LaunchFrame | null> {
  const greeting: Omit<SpareFrame, 'nonce'> = { type: 'spare', protocol: detachedProtocol, ...ownIdentity() };
  return await new Promise((resolve, reject) => {
    const settle = (frame: LaunchFrame | null) => {
      clearInterval(watch);
      server.close();
      resolve(frame);
    };
    const server = createServer((socket) => {
      const nonce = newNonce();
      // Read by hand: leaving a loop over the socket would destroy it before the answer is out.
      const splitter = new LineSplitter({ maxBytes: maxLaunchBytes });
      socket.on('data', (chunk: Buffer) => {
        for (const line of splitter.push(chunk)) {
          const frame = line.kind === 'line' ? readLaunch(line.text) : null;
          const claim = { by: 'worker', runId: frame?.runId ?? '', epoch: 0, nonce } as const;
          if (!frame || !isLinkProof(frame.proof, secret, claim)) {
            socket.destroy();
            return;
          }
          socket.end(`${JSON.stringify({ type: 'launched', runId: frame.runId })}\n`);
          settle(frame);
          return;
        }
      });
      socket.on('error', () => socket.destroy());
      socket.write(`${JSON.stringify({ ...greeting, nonce })}\n`);
    });
    server.maxConnections = mostConnections;
    // It may be dead by now, so that its pid was told at the start.
    const watch = setInterval(() => {
      if (process.ppid !== parent) settle(null);
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
