import { expect, it } from 'vitest';
import { SeenLines } from '../../../src/domain/prompts/seen-lines.js';

it('knows what was not on the screen, and where that begins', () => {
  const lines = new SeenLines(5);
  expect([lines.unseen, lines.next]).toEqual([5, 0]);
  expect([0, 1, 4, 4, 9, -1].map((line) => lines.see(line))).toEqual([true, true, true, false, false, false]);
  expect([lines.unseen, lines.next]).toEqual([2, 2]);
  for (const line of [2, 3]) lines.see(line);
  expect([lines.unseen, lines.next, lines.total]).toEqual([0, undefined, 5]);
});
