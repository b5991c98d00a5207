import { setTimeout as delay } from 'node:timers/promises';
import type { OpenedHost } from './open-host.js';

const lookMs = 1000;
// Long enough that whoever reads an outcome can look around and say something more to the agent.
const lingerLooks = 60;
// A client that read where this worker is has spoken to it by then.
const lastCallMs = 500;

/** A worker that was started for one piece of work leaves when all of it has ended, and takes its idle agents along. */
export async function endWhenIdle(
  host: Pick<OpenedHost, 'hasWork' | 'stopAgents'>,
  ending: AbortController,
  announcement: { withdraw(): void; repeat(): void },
): Promise<void> {
  const { signal } = ending;
  for (let quiet = 0; !signal.aborted; ) {
    await delay(lookMs, undefined, { ref: false });
    quiet = (await hasWork(host, signal)) ? 0 : quiet + 1;
    if (quiet < lingerLooks) continue;
    announcement.withdraw();
    await delay(lastCallMs);
    const isWanted = await hasWork(host, signal);
    // Told to end meanwhile: what says where it is stays away.
    if (signal.aborted) return;
    if (isWanted) {
      announcement.repeat();
      quiet = 0;
    } else {
      await host.stopAgents('user:handraise');
      ending.abort();
    }
  }
}

/** A worker that is told to end meanwhile closes its store, which then answers nothing; there is nothing left to look for. */
async function hasWork(host: Pick<OpenedHost, 'hasWork'>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return true;
  try {
    return await host.hasWork();
  } catch (error) {
    if (signal.aborted) return true;
    throw error;
  }
}
