import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortIds } from '../../../src/domain/words/short-id.js';
import { newId } from '../../../src/protocol/id.js';

const at = (now: number) =>
  newId('thread', { now: () => now, randomBytes: (length) => new Uint8Array(length) });

it('tells seconds apart with eight characters', () => {
  const ids = [at(1_800_000_000_000), at(1_800_000_002_000)];

  const short = ids.map(shortIds(ids));
  expect(short).toEqual(ids.map((id) => id.slice(0, 'thr_'.length + 8)));
  expect(new Set(short).size).toBe(2);
});

it('gives beginnings that mean one id each', () => {
  const id = fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
    .map(([now, bytes]) =>
      newId('dispatch', { now: () => 1_800_000_000_000 + now, randomBytes: () => bytes }),
    );
  fc.assert(
    fc.property(fc.uniqueArray(id), (ids) => {
      const short = shortIds(ids);
      for (const each of ids) expect(ids.filter((other) => other.startsWith(short(each)))).toEqual([each]);
    }),
  );
});
