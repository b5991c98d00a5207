import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** What came of asking for a line: the line, Ctrl-C, or nothing because it was called off or the input ended. */
export type Typed =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'called_off' };

export interface LineRequest {
  readonly ask: string;
  readonly signal: AbortSignal;
  /** What is typed is not shown. */
  readonly isSecret?: boolean;
}

/** Reads one line that a person types; the question goes to stderr, as every message. */
export function readTypedLine({ ask, signal, isSecret = false }: LineRequest): Promise<Typed> {
  if (signal.aborted) return Promise.resolve({ kind: 'called_off' });
  let isMuted = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  return new Promise((resolve) => {
    const settle = (typed: Typed) => {
      // First of all: closing the reader says that it was closed, which counts only when nothing else was said.
      resolve(typed);
      signal.removeEventListener('abort', callOff);
      reader.close();
    };
    const callOff = () => {
      process.stderr.write('\n');
      settle({ kind: 'called_off' });
    };
    signal.addEventListener('abort', callOff, { once: true });
    reader.once('close', () => settle({ kind: 'called_off' }));
    reader.once('SIGINT', () => {
      process.stderr.write('\n');
      settle({ kind: 'interrupted' });
    });
    reader.question(ask, (text) => {
      if (isMuted) process.stderr.write('\n');
      settle({ kind: 'line', text });
    });
    isMuted = isSecret;
  });
}

/** Reads and drops what is typed for a moment: it was meant for something else. Ctrl-C still counts. */
export function dropTyped({
  forMs,
  signal,
}: {
  readonly forMs: number;
  readonly signal: AbortSignal;
}): Promise<'dropped' | 'interrupted'> {
  const { stdin } = process;
  if (signal.aborted || !stdin.isTTY) return Promise.resolve('dropped');
  return new Promise((resolve) => {
    const settle = (how: 'dropped' | 'interrupted') => {
      clearTimeout(over);
      signal.removeEventListener('abort', drop);
      stdin.off('data', take);
      stdin.pause();
      stdin.setRawMode(false);
      resolve(how);
    };
    const drop = () => settle('dropped');
    const take = (chunk: Buffer | string) => {
      if (String(chunk).includes('\u0003')) settle('interrupted');
    };
    // What was typed ahead is read before immediates run, however late this process gets to it.
    const over = setTimeout(() => setImmediate(drop), forMs);
    signal.addEventListener('abort', drop, { once: true });
    stdin.setRawMode(true);
    stdin.on('data', take);
    stdin.resume();
  });
}
