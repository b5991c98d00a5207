import { expect, it } from 'vitest';
import { eventually, holdsWithin, waitUntil } from './wait-until.js';

it('goes on as soon as it holds', async () => {
  let looks = 0;
  await waitUntil('it was looked at twice', () => ++looks === 2);
  expect(looks).toBe(2);
});

it('gives up with the sentence that it was given', async () => {
  await expect(waitUntil('the sun rises in the west', () => false, { giveUpAfterMs: 50 })).rejects.toThrow(
    'Gave up waiting until the sun rises in the west, after 0.05 seconds.',
  );
});

it('gives the value that was wanted', async () => {
  let looks = 0;
  expect(
    await eventually(
      'it is three',
      () => ++looks,
      (value) => value === 3,
    ),
  ).toBe(3);
});

it('says whether something came to hold that may never do so', async () => {
  expect(await holdsWithin(50, () => false)).toBe(false);
  expect(await holdsWithin(50, () => true)).toBe(true);
});
