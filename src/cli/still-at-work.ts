import type { Client } from '../client/client.js';
import type { Dispatch } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';

/** The work that agents are in the middle of. */
export async function workUnderWay(client: Client): Promise<Dispatch[]> {
  const found: Dispatch[] = [];
  for (const state of ['running', 'waiting'] as const) {
    for await (const dispatch of client.dispatches.all({ state })) found.push(dispatch);
  }
  return found;
}

/** What keeps running without the worker, as a sentence. */
export function underWayWords(work: readonly Dispatch[]): string {
  const running = work.filter(({ state }) => state === 'running').length;
  const waiting = work.length - running;
  const parts = [
    ...(running > 0 ? [`${running} working`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for an answer`] : []),
  ];
  return work.length === 0
    ? 'No agent is working.'
    : `Agents keep running: ${parts.join(', ')}. The next handraise up finds them again.`;
}

export async function stillAtWork(client: Client): Promise<string> {
  try {
    return underWayWords(await workUnderWay(client));
  } catch (error) {
    if (error instanceof Failure) return 'The worker stops. Agents keep running.';
    throw error;
  }
}
