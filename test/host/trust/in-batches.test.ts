import { expect, it } from 'vitest';
import { inBatches } from '../../../src/host/trust/in-batches.js';

it('one look answers everything that is asked in one moment, each its own', async () => {
  const looks: (readonly number[])[] = [];
  const ask = inBatches((asked: readonly number[]) => {
    looks.push(asked);
    return asked.map((each) => each * 10);
  });
  expect(await Promise.all([1, 2, 3].map(ask))).toEqual([10, 20, 30]);
  expect(await ask(4)).toBe(40);
  expect(looks).toEqual([[1, 2, 3], [4]]);
});

it('a look that fails fails for those who asked, and the next one is made anew', async () => {
  let isBroken = true;
  const ask = inBatches((asked: readonly string[]) => {
    if (isBroken) throw new Error('no /proc');
    return asked;
  });
  expect(await Promise.allSettled([ask('a'), ask('b')])).toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ]);
  isBroken = false;
  expect(await ask('c')).toBe('c');
});
