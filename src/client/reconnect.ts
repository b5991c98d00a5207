import type { EventSourceMessage } from 'eventsource-parser';
import { Failure } from '../protocol/failure.js';
import { ApiFailure } from './api-failure.js';
import { silenceMs, sseMessages } from './sse-messages.js';
import type { WorkerResponse } from './worker-fetch.js';

const firstDelayMs = 100;
const longestDelayMs = 3000;

/** How a stream is followed over broken connections. */
export interface StreamOptions {
  readonly signal?: AbortSignal;
  /** Failed connections in a row after which the stream gives up; without it, it never does. */
  readonly patience?: number;
  /** Told of every connection that is there. */
  readonly onOpen?: () => void;
  /** Told of every break, with how many connections failed in a row. */
  readonly onBreak?: (failure: Failure | undefined, failed: number) => void;
}

/**
 * The messages of a stream, over as many connections as it takes. `open` asks for what follows the last message
 * that the caller had; the worker may have moved meanwhile. A refusal that waiting cannot cure ends the stream.
 */
export async function* reconnecting(
  open: () => Promise<WorkerResponse>,
  { signal, patience = Number.POSITIVE_INFINITY, onOpen, onBreak }: StreamOptions,
): AsyncGenerator<EventSourceMessage> {
  let failed = 0;
  for (;;) {
    if (signal?.aborted) return;
    let failure: Failure | undefined;
    try {
      const response = await open();
      if (response.status === 204) return;
      onOpen?.();
      for await (const message of sseMessages(response, { silenceMs })) {
        failed = 0;
        // A slow reader is cut off by the worker; it comes back with the last number it has.
        if (message.event === 'dropped') break;
        yield message;
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      failure = passing(error);
    }
    failed += 1;
    if (failure && failed >= patience) throw failure;
    onBreak?.(failure, failed);
    await pause(Math.min(firstDelayMs * 2 ** (failed - 1), longestDelayMs), signal);
  }
}

/** What may be over with the next try; anything else is thrown. */
function passing(error: unknown): Failure {
  if (error instanceof ApiFailure) {
    if (error.status >= 500 || error.status === 429) return error;
    throw error;
  }
  if (error instanceof Failure) {
    if (error.code === 'unavailable') return error;
    throw error;
  }
  // A socket that breaks in the middle of a body fails with whatever the platform calls it.
  return new Failure('unavailable', 'The connection to the worker was lost.', { cause: error });
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}
