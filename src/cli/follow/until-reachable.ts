import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.js';
import { Failure } from '../../protocol/failure.js';

const lookEveryMs = 250;

/** Waits until a worker is there again, or until it is called off. */
export async function untilReachable(client: Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await client.health();
      return;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
    }
  }
}
