import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const datasync = promisify(fdatasync);
const newline = 0x0a;
const segmentName = /^(\d{12})\.jsonl$/;

/** A numbered line of a journal. */
export type NumberedLine = { seq: number; text: string };

/**
 * An append-only journal of numbered lines in one folder, written by one process and read by any.
 * A segment file is named by the number of its first line, and a line's number follows from its place, so
 * nothing has to be parsed to find it. A last line without its newline was torn by a crash and does not count.
 */
export class LineJournal {
  readonly #folder: string;
  readonly #segmentBytes: number;
  #file: number;
  #fileBytes = 0;
  #first: number;
  #last: number;
  #dirty = false;
  #syncing: Promise<void> = Promise.resolve();

  private constructor(folder: string, segmentBytes: number) {
    this.#folder = folder;
    this.#segmentBytes = segmentBytes;
    const newest = segments(folder).at(-1);
    this.#first = newest ?? 1;
    this.#file = openSync(this.#path(this.#first), 'a+', 0o600);
    const { lines, bytes } = wholeLines(this.#path(this.#first));
    // What follows the last newline is half a line; the next line must not be glued to it.
    ftruncateSync(this.#file, bytes);
    this.#fileBytes = bytes;
    this.#last = this.#first + lines - 1;
  }

  /** Opens the journal in a folder, which is made when it is missing. */
  static open(folder: string, options: { segmentBytes?: number } = {}): LineJournal {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new LineJournal(folder, options.segmentBytes ?? 4 * 2 ** 20);
  }

  /** The number of the last line; 0 when there is none yet. */
  get lastSeq(): number {
    return this.#last;
  }

  /** Bytes on disk, without the lines that were trimmed. */
  get bytes(): number {
    return segments(this.#folder).reduce((sum, first) => sum + sizeOf(this.#path(first)), 0);
  }

  /** Appends one line and gives its number; throws what the system says, for example ENOSPC, and then nothing was added. */
  append(text: string): number {
    if (this.#fileBytes >= this.#segmentBytes) this.#nextSegment();
    const line = Buffer.from(`${text}\n`, 'utf8');
    const before = this.#fileBytes;
    try {
      for (let written = 0; written < line.length; ) written += writeSync(this.#file, line, written);
    } catch (error) {
      ftruncateSync(this.#file, before);
      throw error;
    }
    this.#fileBytes += line.length;
    this.#dirty = true;
    this.#last += 1;
    return this.#last;
  }

  /** Returns when everything appended so far would survive a power cut. */
  sync(): void {
    if (this.#dirty) fdatasyncSync(this.#file);
    this.#dirty = false;
  }

  /** The same without waiting in it; the number of the last line that it holds for. */
  async synced(): Promise<number> {
    const upTo = this.#last;
    if (!this.#dirty) return upTo;
    this.#syncing = datasync(this.#file);
    await this.#syncing;
    if (this.#last === upTo) this.#dirty = false;
    return upTo;
  }

  /** Deletes the segments that hold nothing after this number; the newest always stays. */
  trim(upTo: number): void {
    const firsts = segments(this.#folder);
    for (const [index, first] of firsts.entries()) {
      const next = firsts[index + 1];
      if (next === undefined || next > upTo + 1) return;
      rmSync(this.#path(first), { force: true });
    }
  }

  close(): void {
    try {
      this.sync();
    } finally {
      this.#close(this.#file);
    }
  }

  /** The old file is let go of last, so that a full disk leaves a journal that can be tried again. */
  #nextSegment(): void {
    this.sync();
    const first = this.#last + 1;
    const next = openSync(this.#path(first), 'a+', 0o600);
    this.#close(this.#file);
    this.#file = next;
    this.#first = first;
    this.#fileBytes = 0;
  }

  /** Not while the disk is asked about it. */
  #close(file: number): void {
    const close = () => {
      try {
        closeSync(file);
      } catch {
        // What it held was synced before.
      }
    };
    this.#syncing.then(close, close);
  }

  #path(first: number): string {
    return segmentPath(this.#folder, first);
  }
}

/** Reads the lines after a number, in order; also from a folder whose writer is dead. Trimmed lines are skipped. */
export function* readJournal(folder: string, after: number): Generator<NumberedLine> {
  const firsts = segments(folder);
  for (const [index, first] of firsts.entries()) {
    const next = firsts[index + 1];
    if (next !== undefined && next <= after + 1) continue;
    const lines = completeText(segmentPath(folder, first)).split('\n').slice(0, -1);
    for (const [place, text] of lines.entries())
      if (first + place > after) yield { seq: first + place, text };
  }
}

function segments(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => segmentName.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b);
}

function segmentPath(folder: string, first: number): string {
  return join(folder, `${String(first).padStart(12, '0')}.jsonl`);
}

function completeText(path: string): string {
  const content = readFileSync(path);
  return content.subarray(0, content.lastIndexOf(newline) + 1).toString('utf8');
}

function wholeLines(path: string): { lines: number; bytes: number } {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(2 ** 16);
  let lines = 0;
  let bytes = 0;
  try {
    for (let position = 0, read = 1; read > 0; position += read) {
      read = readSync(file, buffer, 0, buffer.length, position);
      for (let at = buffer.indexOf(newline); at >= 0 && at < read; at = buffer.indexOf(newline, at + 1)) {
        lines += 1;
        bytes = position + at + 1;
      }
    }
  } finally {
    closeSync(file);
  }
  return { lines, bytes };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
