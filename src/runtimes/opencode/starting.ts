import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildCommand, PipedChild } from '../../process/children/child.js';
import type { AgentProcess } from '../agent-process.js';
import { randomPort } from '../random-port.js';
import { addressIn } from './address.js';

const mostStarts = 6;
const pauseMs = 500;
const drainMs = 1000;

/** The arguments of the one server that lives as long as the runner. */
function serveArgs(port: string): string[] {
  return ['serve', '--hostname', '127.0.0.1', '--port', port];
}

/**
 * Whether OpenCode ended as it started for a reason that is gone when it is started again. All OpenCodes of a user share
 * one database; each makes its tables, or changes those of an older version, as it starts, and of several that do so at
 * once all but one may fail (measured with 1.18.33: 14 of 40 on a new database, none of 30 on one that was there).
 */
export function isPassingFailure(lastWords: string): boolean {
  return /database is locked|Failed query|ServeError/.test(lastWords);
}

/** Starts a server, and again while it fails for such a reason; its address once it listens. */
export async function startServer({
  process,
  command,
  isWanted,
}: {
  readonly process: AgentProcess;
  readonly command: Pick<ChildCommand, 'file' | 'cwd' | 'env'>;
  /** Whether anybody still waits for it. */
  readonly isWanted: () => boolean;
}): Promise<string> {
  for (let starts = 1; ; starts += 1) {
    if (!isWanted()) throw new Error('it was ended before it listened');
    const child = process.start({ ...command, args: serveArgs(randomPort()) });
    void closeAfter(child);
    try {
      return await addressIn(child.stdout);
    } catch (error) {
      await child.exited;
      // Others were told to try again at the same moment, and its last words may still be on their way.
      await delay(pauseMs * starts + randomInt(pauseMs));
      if (starts === mostStarts || !isPassingFailure(process.lastWords)) throw error;
    }
  }
}

/** What a command left behind may hold the stream open long after the agent is gone. */
async function closeAfter({ exited, stdout }: PipedChild): Promise<void> {
  await exited;
  await delay(drainMs);
  stdout.destroy();
}
