// Every parser and stripper under random hostile input: none throws anything but a proper refusal, and each keeps what it
// promises. `npm run fuzz` runs many more cases, and prints how many.
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { hostileText } from '../domain/words/hostile-text.js';
import { isRefusal, parsers } from './parsers.js';

const runs = Number(process.env['HANDRAISE_FUZZ_RUNS'] ?? 200);
const seed = Number(process.env['HANDRAISE_FUZZ_SEED'] ?? Date.now() % 2 ** 31);
let cases = 0;

afterAll(() => console.log(`${cases} cases, ${Object.keys(parsers).length} parsers, seed ${seed}`));

test.each(Object.entries(parsers))('%s', (_name, parse) => {
  fc.assert(
    fc.property(hostileText, fc.oneof(fc.jsonValue(), fc.anything()), (text, value) => {
      cases += 1;
      let problem: string | null;
      try {
        problem = parse(text, value);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        problem = null;
      }
      expect(problem).toBeNull();
    }),
    { numRuns: runs, seed },
  );
});
