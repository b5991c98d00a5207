import { Failure } from '../protocol/failure.js';
import { Bell } from './bell.js';
import { writeLine } from './output.js';
import { fit } from './terminal/fit.js';

const everyMs = 1000;

export interface WatchOptions {
  /** Each of these is a reason to look again at once. */
  readonly changes?: (signal: AbortSignal) => AsyncIterable<unknown>;
}

/** A view that is drawn again whenever it changes: in place on a terminal, one below the other elsewhere. */
export async function watch(
  view: () => Promise<readonly string[]>,
  { changes }: WatchOptions = {},
): Promise<void> {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
  const bell = new Bell();
  if (changes) void bell.ringOn(changes(ended.signal));
  const { isTTY } = process.stdout;
  if (isTTY) process.stdout.write(enter);
  try {
    let before = '';
    while (!ended.signal.aborted) {
      const lines = await linesOf(view);
      const now = lines.join('\n');
      if (isTTY) draw(lines);
      else if (now !== before) writeLine(now);
      before = now;
      await bell.rungWithin(everyMs, ended.signal);
    }
  } finally {
    if (isTTY) process.stdout.write(leave);
  }
}

// The other screen of the terminal, without a cursor, so that what was there before comes back.
const enter = '\u001B[?1049h\u001B[?25l';
const leave = '\u001B[?25h\u001B[?1049l';

async function linesOf(view: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await view();
  } catch (error) {
    // A worker that restarts is back in a moment.
    if (error instanceof Failure && error.code === 'unavailable') return [error.message];
    throw error;
  }
}

function draw(lines: readonly string[]): void {
  // A terminal that does not know its size says 0.
  const columns = process.stdout.columns || 80;
  const shown = lines.slice(0, (process.stdout.rows || 24) - 1);
  const text = shown
    .map((line) => `${line.includes('\u001B') ? line : fit(line, columns)}\u001B[K`)
    .join('\n');
  process.stdout.write(`\u001B[H${text}\n\u001B[J`);
}
