import type { FeedEvent } from '../host/feeds/news.js';

const encoded = new WeakMap<FeedEvent, Buffer>();

/** An event as a frame of text/event-stream; encoded once for all who follow its thread. */
export function eventFrame(event: FeedEvent): Buffer {
  const known = encoded.get(event);
  if (known) return known;
  const frame = frameOf({
    ...(event.seq === null ? {} : { id: event.seq }),
    event: event.type,
    data: event.json,
  });
  encoded.set(event, frame);
  return frame;
}

/** One frame; `data` is JSON, where a line break can only be white space. */
export function frameOf(parts: {
  readonly id?: number;
  readonly event: string;
  readonly data: string;
}): Buffer {
  const id = parts.id === undefined ? '' : `id: ${parts.id}\n`;
  return Buffer.from(`${id}event: ${oneLine(parts.event)}\ndata: ${oneLine(parts.data)}\n\n`);
}

function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, ' ') : text;
}
