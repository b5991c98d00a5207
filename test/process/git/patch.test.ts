import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitPatches, splitPatches } from '../../../src/process/git/patch.js';

const patch = (name: string, lines: number): string =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -0,0 +1,${lines} @@\n${'+line\n'.repeat(lines)}`;

test('whole patches are kept, the first that is too long is cut at a line, the others are named', () => {
  const patches = [patch('small', 1), patch('large', 100), patch('late', 1)];
  expect(fitPatches(patches, 147)).toEqual({
    text: `${patch('small', 1)}${patch('large', 100).slice(0, patch('large', 100).indexOf('+line'))}`,
    cut: ['large'],
    omitted: ['late'],
  });
  expect(fitPatches(patches, 10_000)).toEqual({ text: patches.join(''), cut: [], omitted: [] });
});

test('nothing is lost or split inside a line, and the limit holds', () => {
  const names = fc.stringMatching(/^[a-z]{1,8}$/);
  const patches = fc.array(fc.tuple(names, fc.nat(20)).map(([name, lines]) => patch(name, lines)));
  fc.assert(
    fc.property(patches, fc.integer({ min: 1, max: 2_000 }), (made, limit) => {
      const whole = made.join('');
      expect(splitPatches(whole)).toEqual(made);
      const { text, cut, omitted } = fitPatches(made, limit);
      expect(text.length).toBeLessThanOrEqual(limit);
      expect(whole.startsWith(text)).toBe(true);
      expect(text === whole).toBe(cut.length === 0 && omitted.length === 0);
    }),
  );
});

test('a carriage return in a line does not make a header of it', () => {
  const odd = 'diff --git a/x b/x\n@@ -0,0 +1 @@\n+a\rdiff --git a/y b/y\n';
  expect(splitPatches(odd)).toEqual([odd]);
});
