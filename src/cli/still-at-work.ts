import type { Client } from '../client/client.js';
import type { Dispatch } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';

/** The work that agents are in the middle of. */
export async function workUnderWay(client: Client): Promise<Dispatch[]> {
  const found: Dispatch[] = [];
  for (const state of ['running', 'waiting'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- two lists
    for await (const dispatch of client.dispatches.all({ state })) found.push(dispatch);
  }
  return found;
}

/** What goes on without the worker, as a sentence. */
export function underWayWords(work: readonly Dispatch[]): string {
  const running = work.filter(({ state }) => state === 'running').length;
  const waiting = work.length - running;
  const parts = [
    ...(running > 0 ? [`${running} at work`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for an answer`] : []),
  ];
  return work.length === 0
    ? 'no agent is at work'
    : `agents go on: ${parts.join(', ')}; handraise up finds them again`;
}

export async function stillAtWork(client: Client): Promise<string> {
  try {
    return underWayWords(await workUnderWay(client));
  } catch (error) {
    if (error instanceof Failure) return 'the worker ends; agents go on';
    throw error;
  }
}
