import { setTimeout as delay } from 'node:timers/promises';
import type { OpenedHost } from './open-host.js';

const lookMs = 1000;
// Long enough that whoever reads an outcome can look around and say something more to the agent.
const lingerLooks = 60;
// A client that read where this worker is has spoken to it by then.
const lastCallMs = 500;

/** A worker that was started for one piece of work leaves when all of it has ended, and takes its idle agents along. */
export async function endWhenIdle(
  host: OpenedHost,
  ending: AbortController,
  announcement: { withdraw(): void; repeat(): void },
): Promise<void> {
  for (let quiet = 0; !ending.signal.aborted; ) {
    await delay(lookMs, undefined, { ref: false });
    quiet = (await host.hasWork()) ? 0 : quiet + 1;
    if (quiet < lingerLooks) continue;
    announcement.withdraw();
    await delay(lastCallMs);
    if (await host.hasWork()) {
      announcement.repeat();
      quiet = 0;
    } else {
      await host.stopAgents('user:handraise');
      ending.abort();
    }
  }
}
