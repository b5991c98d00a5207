import type { EventBody } from '../protocol/event.js';

/** An event as JSON. One that cannot be written is told as such: what an agent nests too deeply must not stop its runner. */
export function eventJson(event: EventBody): string {
  try {
    return JSON.stringify(event);
  } catch {
    const raw = { type: event.type, error: 'It is nested too deeply to be written.' };
    return JSON.stringify({ type: 'unrecognized', raw } satisfies EventBody<'unrecognized'>);
  }
}
