import type { Readable } from 'node:stream';
import { readLines } from '../../process/children/read-lines.js';

const maxLine = 2 ** 20;

/** The address that a server tells on its first lines; what else it prints is read and left. */
export async function addressIn(stdout: Readable): Promise<string> {
  const lines = readLines(stdout, { maxBytes: maxLine })[Symbol.asyncIterator]();
  for (;;) {
    const { done, value: line } = await lines.next();
    if (done) throw new Error('it ended before it listened');
    const url = line.kind === 'line' ? /listening on (http:\/\/\S+)/.exec(line.text)?.[1] : undefined;
    if (url === undefined) continue;
    void drain(lines);
    return url;
  }
}

/** Nobody reads it, but a pipe that is full would stop the server. */
async function drain(lines: AsyncIterator<unknown>): Promise<void> {
  try {
    while (!(await lines.next()).done);
  } catch {
    // It was closed.
  }
}
