import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import { type DispatchId, idPrefix, newId, ThreadId } from '../../src/protocol/index.js';
import { keysOf } from '../../src/protocol/keys.js';

const at = (now: number) => ({ now: () => now, randomBytes });

test('every kind has its prefix', () => {
  const zeros = { now: () => 0, randomBytes: (length: number) => new Uint8Array(length) };

  expect(keysOf(idPrefix).map((kind) => newId(kind, zeros))).toEqual(
    ['thr', 'dsp', 'run', 'prm', 'evt', 'wrk', 'cmd', 'req', 'sch', 'pip', 'rul'].map(
      (prefix) => `${prefix}_${'0'.repeat(26)}`,
    ),
  );
});

test('ids sort by the time of their making', () => {
  const latest = 32 ** 10 - 1;
  fc.assert(
    fc.property(fc.nat(latest), fc.nat(latest), (one, other) => {
      fc.pre(one !== other);
      const [earlier, later] = [
        newId('event', at(Math.min(one, other))),
        newId('event', at(Math.max(one, other))),
      ];
      expect(earlier < later).toBe(true);
    }),
  );
});

test('a thousand ids of one millisecond differ', () => {
  expect(new Set(Array.from({ length: 1000 }, () => newId('run', at(1)))).size).toBe(1000);
});

test('an id is read back as its own kind and as no other', () => {
  const thread = newId('thread', at(1));

  expect(ThreadId.parse(thread)).toBe(thread);
  expect(ThreadId.safeParse(newId('dispatch', at(1))).success).toBe(false);
  expect(ThreadId.safeParse(thread.toUpperCase()).success).toBe(false);
  expect(ThreadId.safeParse(`${thread}0`).success).toBe(false);
  expectTypeOf(thread).not.toExtend<DispatchId>();
});
