import { PassThrough, Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { spawnGroup } from '../../../src/process/children/child.js';
import type { Line } from '../../../src/process/children/line-splitter.js';
import { readLines } from '../../../src/process/children/read-lines.js';
import { fixture } from '../fixture.js';

it('reads what a process writes, garbage included', async () => {
  const child = spawnGroup({ file: fixture('writes-garbage.sh'), args: [], cwd: '/', env: process.env });
  expect(await all(readLines(child.stdout, { maxBytes: 100 }))).toEqual([
    { kind: 'line', text: 'plain' },
    { kind: 'line', text: '\uFFFD\uFFFD broken' },
    { kind: 'line', text: '{"a":"\u2028"}' },
    { kind: 'line', text: 'no newline' },
  ]);
});

it('gives a line as soon as it is complete', async () => {
  const stream = new PassThrough();
  const lines = readLines(stream, { maxBytes: 100 });
  stream.write('first\nsec');
  expect(await lines.next()).toEqual({ done: false, value: { kind: 'line', text: 'first' } });
  stream.end('ond');
  expect(await lines.next()).toEqual({ done: false, value: { kind: 'line', text: 'second' } });
  expect(await lines.next()).toEqual({ done: true, value: undefined });
});

it('reads a stream that decodes by itself', async () => {
  const stream = Readable.from([Buffer.from('é\n')]).setEncoding('utf8');
  expect(await all(readLines(stream, { maxBytes: 100 }))).toEqual([{ kind: 'line', text: 'é' }]);
});

it('passes on the error of its stream', async () => {
  const stream = new PassThrough();
  const lines = readLines(stream, { maxBytes: 100 });
  stream.destroy(new Error('broken pipe'));
  await expect(lines.next()).rejects.toThrow('broken pipe');
});

async function all(lines: AsyncIterable<Line>): Promise<Line[]> {
  const collected: Line[] = [];
  for await (const line of lines) collected.push(line);
  return collected;
}
