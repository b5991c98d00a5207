import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readThreadFile } from '../../src/cli/thread-file.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'thread-file-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = '2026-01-02T03:04:05.000Z';
const thread = {
  id: `thr_${'0'.repeat(26)}`,
  title: 'Mend it',
  runtime: 'exec',
  workspace: { path: '/elsewhere' },
  status: { state: 'stopped', why: 'over', source: 'worker', confidence: 'authoritative' },
  lastSeq: 2,
  usage: { inputTokens: 0, outputTokens: 0, costUsd: null },
  createdAt: at,
};
const head = { kind: 'thread', version: 1, exportedAt: at, thread };
const event = (seq: number, fields: object = {}) => ({
  kind: 'event',
  event: { seq, type: 'notice', timestamp: at, message: `m${seq}`, ...fields },
});

function file(content: string | Buffer): string {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return path;
}

function lines(...values: unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}

it('a file is read, compressed or not, and only what is needed is taken from it', () => {
  const content = lines(
    head,
    event(1),
    event(2),
    { kind: 'diff', diff: null },
    { kind: 'transcript', text: 'x' },
  );
  const request = {
    from: thread.id,
    title: 'Mend it',
    runtime: 'exec',
    createdAt: at,
    events: [1, 2].map((seq) => ({ type: 'notice', timestamp: at, message: `m${seq}` })),
  };
  expect(readThreadFile(file(content))).toEqual(request);
  expect(readThreadFile(file(gzipSync(content)))).toEqual(request);
});

it.each([
  ['nothing', '', 'does not begin with a thread'],
  ['no JSON', 'hello\n', 'Line 1 of'],
  ['another version', lines({ ...head, version: 2 }), 'Line 1 of'],
  ['two threads', lines(head, head), 'more than one thread'],
  ['no thread', lines(event(1)), 'does not begin with a thread'],
  ['an unknown kind', lines(head, { kind: 'file', path: '../../x' }), 'Line 2 of'],
  ['an unknown field', lines({ ...head, path: '/etc' }), 'Line 1 of'],
  ['a missing event', lines(head, event(2)), 'does not hold every event'],
  ['a bad type', lines(head, event(1, { type: '../x' })), 'Line 2 of'],
  ['bad UTF-8', Buffer.from([0x7b, 0xff]), 'cannot be read'],
  ['half a gzip', gzipSync(lines(head)).subarray(0, 30), 'cannot be read'],
  ['a bomb', gzipSync(Buffer.alloc(65 * 2 ** 20)), 'cannot be read'],
])('%s is refused with a sentence', (_what, content, words) => {
  expect(() => readThreadFile(file(content))).toThrow(words);
});

it('what is no file is refused', () => {
  expect(() => readThreadFile(folder)).toThrow('Cannot read');
  expect(() => readThreadFile(join(folder, 'missing'))).toThrow('Cannot read');
});
