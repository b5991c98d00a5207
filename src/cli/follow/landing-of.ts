import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/client.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import type { Landing } from '../../protocol/landing.js';

const lookAgainMs = 250;

/** What became of a landing that was asked for with work, once it is over; undefined where none was, or the work failed. */
export async function landingOf(client: Client, dispatch: Dispatch): Promise<Landing | undefined> {
  const { id, threadId, onSuccess = 'keep', outcome } = dispatch;
  if (onSuccess === 'keep' || outcome?.result !== 'succeeded') return undefined;
  for (;;) {
    const landings = await client.threads.landings(threadId);
    const asked = landings.find(({ afterDispatch }) => afterDispatch === id);
    // It is stored with the outcome; where it is not among the last ones, it was over long ago.
    if (asked?.state !== 'begun') return asked;
    await delay(lookAgainMs);
  }
}
