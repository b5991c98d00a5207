import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ChunkReader, WorkerResponse } from './worker-fetch.js';

/** The worker sends a heartbeat every 15 s; a connection silent for three of them is a dead one, as after a laptop's sleep. */
export const silenceMs = 45_000;

/** The messages of one connection, until it ends, falls silent or is given up. */
export async function* sseMessages(
  response: WorkerResponse,
  options: { readonly silenceMs: number },
): AsyncGenerator<EventSourceMessage> {
  if (!response.body) return;
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const chunk = await readWithin(reader, options.silenceMs);
      if (!chunk) return;
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* arrived.splice(0);
    }
  } finally {
    // Frees the connection when the reader of the messages stops early; what it says about that is of no interest.
    await reader.cancel().catch(() => {});
  }
}

async function readWithin(reader: ChunkReader, milliseconds: number): Promise<Uint8Array | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  const read = reader.read().then(({ value }) => value);
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
    read.catch(() => {});
  }
}
