import {
  array,
  assert,
  constantFrom,
  integer,
  json,
  nat,
  oneof,
  property,
  string,
  uint8Array,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, LineSplitter } from '../../../src/process/children/line-splitter.js';

const MiB = 1024 * 1024;

describe('any chunking', () => {
  // Weighted towards what splits badly: newlines, carriage returns, long characters, bytes that are no UTF-8.
  const piece = oneof(
    constantFrom('\n', '\r\n', '\r', '\n\n', ' ', '\u2028', '\u2029', '\u0085', '\uFEFF', 'é', '語', '🙋🏽'),
    string({ unit: 'binary', maxLength: 12 }),
    uint8Array({ maxLength: 4 }),
  );
  const stream = array(piece, { maxLength: 40 }).map((pieces) => Buffer.concat(pieces.map(bytesOf)));

  it('gives the lines that one chunk gives', () => {
    assert(
      property(
        stream,
        array(nat(), { maxLength: 60 }),
        integer({ min: 1, max: 30 }),
        (bytes, cuts, maxBytes) => {
          expect(linesOf(chunksOf(bytes, cuts), maxBytes)).toEqual(reference(bytes, maxBytes));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('gives them byte by byte', () => {
    assert(
      property(stream, integer({ min: 1, max: 30 }), (bytes, maxBytes) => {
        const single = [...bytes].map((byte) => Uint8Array.of(byte));
        expect(linesOf(single, maxBytes)).toEqual(reference(bytes, maxBytes));
      }),
      { numRuns: 1000 },
    );
  });

  it('carries any JSON value through', () => {
    assert(
      property(array(json()), array(nat()), (values, cuts) => {
        const bytes = Buffer.from(values.map((value) => `${value}\n`).join(''));
        expect(linesOf(chunksOf(bytes, cuts), MiB)).toEqual(values.map((text) => ({ kind: 'line', text })));
      }),
    );
  });
});

describe('line ends', () => {
  it('are newlines only, with one carriage return before them', () => {
    expect(linesOf([Buffer.from('a\r\nb\rc\u2028d\u2029e\n\r\n \t\n\nf\r\r\nlast')], 100)).toEqual([
      { kind: 'line', text: 'a' },
      { kind: 'line', text: 'b\rc\u2028d\u2029e' },
      { kind: 'line', text: 'f\r' },
      { kind: 'line', text: 'last' },
    ]);
  });

  it('may be missing after the last line', () => {
    const splitter = new LineSplitter({ maxBytes: 100 });
    expect(splitter.push(Buffer.from('{"a":'))).toEqual([]);
    expect(splitter.push(Buffer.from('1}\r'))).toEqual([]);
    expect(splitter.end()).toEqual([{ kind: 'line', text: '{"a":1}' }]);
    expect(splitter.end()).toEqual([]);
  });
});

describe('bytes that are no UTF-8', () => {
  it('become replacement characters', () => {
    expect(linesOf([Buffer.from([0x61, 0xff, 0xc3, 0x0a]), Buffer.from([0xa9, 0x0a])], 100)).toEqual([
      { kind: 'line', text: 'a\uFFFD\uFFFD' },
      { kind: 'line', text: '\uFFFD' },
    ]);
  });
});

describe('the limit', () => {
  it('allows exactly maxBytes and refuses one more', () => {
    const text = 'x'.repeat(1000);
    expect(linesOf([Buffer.from(`${text}\n${text}\r\n${text}y\n${text}\n`)], 1000)).toEqual([
      { kind: 'line', text },
      { kind: 'line', text },
      { kind: 'oversized', head: 'x'.repeat(200), bytes: 1001 },
      { kind: 'line', text },
    ]);
  });

  it('counts the head in characters, whole ones', () => {
    const [line] = linesOf([Buffer.from('🙋'.repeat(300))], 1000);
    expect(line).toEqual({ kind: 'oversized', head: '🙋'.repeat(200), bytes: 1200 });
  });

  it('keeps nothing of a refused line but its head, and reads on after it', () => {
    const splitter = new LineSplitter({ maxBytes: 1 * MiB });
    const chunk = Buffer.alloc(MiB, 'x');
    splitter.push(Buffer.from('{"good":1}\n'));
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 512; sent += 1) expect(splitter.push(chunk)).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * MiB);
    expect(splitter.push(Buffer.from('\n{"good":2}\n'))).toEqual([
      { kind: 'oversized', head: 'x'.repeat(200), bytes: 512 * MiB },
      { kind: 'line', text: '{"good":2}' },
    ]);
  });
});

// Compared with joining the same chunks once and decoding, in the same run: from 32 MiB on every allocation is
// fresh memory from the system, so 64 MiB take seven times as long as 16 MiB whoever reads them.
describe('the cost of a line', () => {
  it('stays near that of its bytes, up to 64 MiB', () => {
    const line = { bytes: 64 * MiB, chunkBytes: 64 * 1024 };
    expect(
      costRatio(
        () => readOneLine(line),
        () => joinOnce(line),
        isNear,
      ),
    ).toSatisfy(isNear);
  });

  it('would not if chunks were joined as they come', { tags: ['full'] }, () => {
    const line = { bytes: 8 * MiB, chunkBytes: 8 * 1024 };
    expect(
      costRatio(
        () => joinEach(line),
        () => joinOnce(line),
        isFar,
      ),
    ).toSatisfy(isFar);
  });

  it('grows with its length even when single bytes trickle in', () => {
    expect(
      costRatio(
        () => readOneLine({ bytes: MiB, chunkBytes: 1 }),
        () => readOneLine({ bytes: MiB / 4, chunkBytes: 1 }),
        isLinear,
      ),
    ).toSatisfy(isLinear);
  });
});

const isNear = (ratio: number) => ratio < 5;
const isFar = (ratio: number) => ratio > 15;
const isLinear = (ratio: number) => ratio < 9;

function bytesOf(piece: string | Uint8Array): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece;
}

function chunksOf(bytes: Buffer, cuts: readonly number[]): Uint8Array[] {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

function linesOf(chunks: readonly Uint8Array[], maxBytes: number): Line[] {
  const splitter = new LineSplitter({ maxBytes });
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

/** The same rules over the whole input at once, with another decoder. */
function reference(bytes: Buffer, maxBytes: number): Line[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const lines = bytes.toString('latin1').split('\n');
  return lines.flatMap((latin1): Line[] => {
    const line = Buffer.from(latin1.replace(/\r$/, ''), 'latin1');
    const text = decoder.decode(line);
    if (line.length > maxBytes) {
      return [{ kind: 'oversized', head: Array.from(text).slice(0, 200).join(''), bytes: line.length }];
    }
    return /^[ \t\r]*$/.test(text) ? [] : [{ kind: 'line', text }];
  });
}

type LongLine = { bytes: number; chunkBytes: number };

function readOneLine({ bytes, chunkBytes }: LongLine): void {
  const splitter = new LineSplitter({ maxBytes: bytes });
  const chunk = Buffer.alloc(chunkBytes, 'x');
  for (let sent = 0; sent < bytes; sent += chunkBytes) splitter.push(chunk);
  const [line] = splitter.push(Buffer.from('\n'));
  expect(line?.kind === 'line' && line.text.length).toBe(bytes);
}

function joinOnce({ bytes, chunkBytes }: LongLine): void {
  const chunk = Buffer.alloc(chunkBytes, 'x');
  const chunks = Array.from({ length: bytes / chunkBytes }, () => chunk);
  expect(Buffer.concat(chunks).toString().length).toBe(bytes);
}

function joinEach({ bytes, chunkBytes }: LongLine): void {
  const chunk = Buffer.alloc(chunkBytes, 'x');
  let joined = Buffer.alloc(0);
  for (let sent = 0; sent < bytes; sent += chunkBytes) joined = Buffer.concat([joined, chunk]);
  expect(joined.toString().length).toBe(bytes);
}

/**
 * How many times as much processor time one work takes as another. The least of several turns comes closest to what each costs
 * when nobody else uses the machine, so there are more turns until the ratio is as wanted, or enough were seen.
 */
function costRatio(work: () => void, other: () => void, isAsWanted: (ratio: number) => boolean): number {
  let [least, leastOfOther] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 1; ; turn += 1) {
    least = Math.min(least, processorTime(work));
    leastOfOther = Math.min(leastOfOther, processorTime(other));
    const ratio = least / leastOfOther;
    if ((turn >= 3 && isAsWanted(ratio)) || turn === 20) return ratio;
  }
}

function processorTime(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
