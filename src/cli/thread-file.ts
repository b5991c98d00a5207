import { gunzipSync } from 'node:zlib';
import { readBoundedBytes } from '../process/files/bounded-file.js';
import { cutText } from '../protocol/cut-text.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';
import { type FileEvent, type ImportRequest, ThreadFileLine } from '../protocol/thread-file.js';

// The API takes 32 MiB, and the events are only a part of the file.
const largestFile = 64 * 2 ** 20;
const longestTitle = 500;

/** What a file of `handraise export` asks to be imported; somebody else may have written it. */
export function readThreadFile(file: string): ImportRequest {
  const read = readBoundedBytes(file, { limit: largestFile, followLink: true });
  if (!read.ok) throw new Failure('missing_file', `Cannot read ${file}: ${read.error}.`);
  const lines = unpacked(read.bytes, file)
    .split('\n')
    .filter((line) => line !== '');
  const parsed = lines.map((line, index) => lineOf(line, { file, number: index + 1 }));
  const [first, ...rest] = parsed;
  if (first?.kind !== 'thread')
    throw new Failure('invalid', `${file} does not begin with a thread. Is it a file of handraise export?`);
  if (rest.some(({ kind }) => kind === 'thread'))
    throw new Failure('invalid', `${file} holds more than one thread.`);
  const { id, title, runtime, createdAt } = first.thread;
  const events = rest.flatMap((line) => (line.kind === 'event' ? [line.event] : []));
  if (events.some(({ seq }, index) => seq !== index + 1))
    throw new Failure('invalid', `${file} does not hold every event of its thread in order.`);
  return {
    from: id,
    title: cutText(title, longestTitle),
    runtime,
    createdAt,
    events: events.map(withoutPlace),
  };
}

function withoutPlace(event: FileEvent): ImportRequest['events'][number] {
  const { seq: _place, ...rest } = event;
  return rest;
}

function unpacked(bytes: Buffer, file: string): string {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      isPacked ? gunzipSync(bytes, { maxOutputLength: largestFile }) : bytes,
    );
  } catch (error) {
    throw new Failure(
      'invalid',
      `${file} cannot be read: it is damaged, or larger than ${largestFile / 2 ** 20} MiB (${errorSentence(error)}).`,
      { cause: error },
    );
  }
}

function lineOf(
  line: string,
  { file, number }: { readonly file: string; readonly number: number },
): ThreadFileLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Failure('invalid', `Line ${number} of ${file} is not JSON.`, { cause: error });
  }
  const parsed = ThreadFileLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Failure(
    'invalid',
    `Line ${number} of ${file} is not understood (${issue?.path.join('.')}: ${issue?.message}).`,
  );
}
