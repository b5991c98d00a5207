import type { FileHandle } from 'node:fs/promises';
import { readLines } from '../process/children/read-lines.js';
import { openToRead } from '../process/files/regular-file.js';

// An agent can write to its own session: what no session is like is not read to its end.
const mostBytes = 2 ** 30;
const mostLineBytes = 64 * 2 ** 20;

/** The lines of a session's file from a byte on, as far as they can be read; none of what is a link, a pipe or a device. */
export async function* sessionLines(file: string, start = 0): AsyncGenerator<string> {
  const handle = await opened(file);
  if (!handle) return;
  const stream = handle.createReadStream({ start, end: start + mostBytes - 1 });
  for await (const line of readLines(stream, { maxBytes: mostLineBytes }))
    if (line.kind === 'line') yield line.text;
}

async function opened(file: string): Promise<FileHandle | undefined> {
  try {
    return await openToRead(file, file);
  } catch {
    return undefined;
  }
}
