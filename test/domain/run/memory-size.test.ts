import { expect, test } from 'vitest';
import { memoryBytes } from '../../../src/domain/run/memory-size.js';

test.each([
  ['1048576', 2 ** 20],
  ['64k', 2 ** 16],
  ['512M', 2 ** 29],
  ['512 MiB', 2 ** 29],
  ['1.5g', 1.5 * 2 ** 30],
  ['2GB', 2 ** 31],
  ['', null],
  ['0', null],
  ['-1M', null],
  ['2X', null],
  ['much', null],
  ['999999999999999T', null],
])('%j', (text, bytes) => {
  expect(memoryBytes(text)).toBe(bytes);
});
