import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedAnswer } from './recorded-request.js';
import type { StreamFault } from './reply.js';

// One write for each event costs more than making it: 5,000 deltas in writes of 32 kB are about 25 writes.
const batchSize = 32 * 1024;

/** How a stream of events is to be sent, or to fail. */
export interface ReplyDelivery {
  events: Iterable<string>;
  chunkDelayMs: number;
  fault: StreamFault | undefined;
  /** Aborts when the client is gone. */
  signal: AbortSignal;
  /** Is kept up to date. */
  answer: RecordedAnswer;
}

/** Sends events at the pace the client takes them and ends the response as scripted. */
export async function deliverReply(response: ServerResponse, delivery: ReplyDelivery): Promise<void> {
  const { events, chunkDelayMs, fault, signal, answer } = delivery;
  const limit = fault?.afterEvents ?? Number.POSITIVE_INFINITY;
  let batch = '';
  for (const event of events) {
    if (answer.events === limit) {
      if (fault?.kind === 'malformed') batch += broken(event);
      break;
    }
    batch += event;
    answer.events++;
    if (chunkDelayMs === 0 && batch.length < batchSize) continue;
    await write(response, batch, signal);
    batch = '';
    if (chunkDelayMs > 0) await sleep(chunkDelayMs, undefined, { signal });
  }
  if (batch !== '') await write(response, batch, signal);
  await end(response, delivery);
}

async function end(response: ServerResponse, { fault, answer }: ReplyDelivery): Promise<void> {
  switch (fault?.kind) {
    case 'hang':
      response.flushHeaders();
      return;
    case 'cut':
      // The bytes so far must reach the client, or the cut would come earlier than scripted.
      response.flushHeaders();
      await new Promise((resolve) => response.write('', resolve));
      answer.cut = true;
      response.socket?.destroySoon();
      return;
    case 'malformed':
    case undefined:
      response.end();
  }
}

/** An event whose JSON ends in the middle, though the event itself is closed. */
function broken(event: string): string {
  return `${event.slice(0, Math.floor(event.length * 0.7))}\n\n`;
}

async function write(response: ServerResponse, batch: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!response.write(batch)) await once(response, 'drain', { signal });
}
