import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import type { DispatchId } from '../../protocol/id.js';

const firstLookMs = 500;
const everyMs = 2000;

/** Tells why a dispatch has to wait, each time that changes, until it is called off or begins. */
export async function tellQueued(
  client: Client,
  {
    id,
    signal,
    tell,
  }: { readonly id: DispatchId; readonly signal: AbortSignal; tell: (why: string) => void },
): Promise<void> {
  let lastWhy: string | undefined;
  try {
    await sleep(firstLookMs, undefined, { signal });
    for (;;) {
      const dispatch = await client.dispatches.get(id);
      if (signal.aborted || dispatch.state !== 'queued') return;
      const why = queuedWords(dispatch, Date.now());
      if (why !== '' && why !== lastWhy) tell(why);
      lastWhy = why;
      await sleep(everyMs, undefined, { signal });
    }
  } catch {
    // Called off, or the worker is gone, which whoever follows the dispatch tells.
  }
}
