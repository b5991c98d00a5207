import { constants, lstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { LineSplitter } from '../../process/children/line-splitter.js';
import { readLines } from '../../process/children/read-lines.js';
import { openToRead } from '../../process/files/regular-file.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';

const maxBytes = 4 * 2 ** 20;
const pieceBytes = 64 * 1024;
const lookMs = 200;
const againMs = 2000;

/** The lines of a file that somebody appends to, from near its end on, for ever. Only of a regular file: never of a link or a pipe. */
export async function* appendedLines(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const handle = await openToRead(path, path).catch((error: unknown) => {
    throw new Failure('missing_file', `${errorSentence(error)} A named pipe is observed with --pipe.`);
  });
  if (!handle) throw new Failure('missing_file', `There is no file ${path}.`);
  await using _ = { [Symbol.asyncDispose]: async () => await handle.close() };
  const splitter = new LineSplitter({ maxBytes });
  let position = Math.max(0, (await handle.stat()).size - maxBytes);
  while (!signal.aborted) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(pieceBytes), 0, pieceBytes, position);
    position += bytesRead;
    for (const line of splitter.push(buffer.subarray(0, bytesRead)))
      if (line.kind === 'line') yield line.text;
    if (bytesRead > 0) continue;
    await delay(lookMs);
    // Somebody has begun it anew.
    if ((await handle.stat()).size < position) position = 0;
  }
}

/** The lines that anybody writes into a named pipe, for ever: a writer may leave, and another may come. */
export async function* pipeLines(path: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* linesIn(openPipe(path, signal), signal);
}

/** What is written into a named pipe, as it comes. */
export async function* pipeBytes(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const pipe = openPipe(path, signal).setEncoding('utf8');
  try {
    for await (const piece of pipe) yield String(piece);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function openPipe(path: string, signal: AbortSignal): Socket {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFIFO())
    throw new Failure('missing_file', `${path} is not a named pipe. Make one with: mkfifo ${path}`);
  // Opened for both, it waits for nobody and has no end.
  const file = openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const socket = new Socket({ fd: file, readable: true, writable: false });
  signal.addEventListener('abort', () => socket.destroy());
  return socket;
}

/** The data of each message of an event stream; a connection that breaks is made again. */
export async function* sseLines(
  url: string,
  { signal, onBreak }: { readonly signal: AbortSignal; readonly onBreak: () => void },
): AsyncGenerator<string> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Failure('usage', `--sse needs an address such as http://127.0.0.1:4096/event, not "${url}".`);
  while (!signal.aborted) {
    try {
      const response = await fetch(url, { signal, headers: { accept: 'text/event-stream' } });
      if (!response.ok || !response.body) throw new Error(`it answers ${response.status}`);
      for await (const line of linesIn(Readable.fromWeb(response.body), signal)) {
        const [, data] = /^data: ?(.*)$/.exec(line) ?? [];
        if (data !== undefined) yield data;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Failure) throw error;
    }
    onBreak();
    await delay(againMs, undefined, { signal }).catch(() => {});
  }
}

async function* linesIn(stream: Readable, signal: AbortSignal): AsyncGenerator<string> {
  try {
    for await (const line of readLines(stream, { maxBytes })) if (line.kind === 'line') yield line.text;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
