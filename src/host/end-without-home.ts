import { setTimeout as delay } from 'node:timers/promises';
import type { OpenedHost } from './open-host.js';

const lookEveryMs = 2000;
const lastWordsMs = 10_000;

/** A worker whose home is not its own any more can be found by nobody; if it was deleted, neither can its agents. */
export async function endWithoutHome(
  host: Pick<OpenedHost, 'stopAgents'>,
  ending: AbortController,
  place: { holder(): 'us' | 'another' | 'deleted'; readonly home: string; log(line: string): void },
): Promise<void> {
  while (!ending.signal.aborted) {
    await delay(lookEveryMs, undefined, { ref: false });
    const holder = ending.signal.aborted ? 'us' : place.holder();
    if (holder === 'us') continue;
    place.log(
      holder === 'deleted'
        ? `The home ${place.home} was deleted. This worker and its agents end.`
        : `Another worker has taken the home ${place.home}. This worker ends.`,
    );
    // What cannot be recorded any more is no reason to stay.
    if (holder === 'deleted')
      await Promise.race([host.stopAgents('user:handraise').catch(() => {}), delay(lastWordsMs)]);
    ending.abort();
  }
}
