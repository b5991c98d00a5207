import type { Readable } from 'node:stream';
import { type Line, LineSplitter } from './line-splitter.js';

/** The lines of a stream as they arrive; leaving the loop early destroys the stream. */
export async function* readLines(stream: Readable, options: { maxBytes: number }): AsyncGenerator<Line> {
  const splitter = new LineSplitter(options);
  for await (const chunk of stream as AsyncIterable<unknown>) {
    yield* splitter.push(bytesOf(chunk));
  }
  yield* splitter.end();
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk === 'string') return Buffer.from(chunk);
  throw new TypeError('readLines reads streams of bytes or text');
}
