import { expect, test } from 'vitest';
import { nameUuid } from '../../src/process/name-uuid.js';

// What was sent before an update is known by these.
test('is the same for the same words, in every version of ours', () => {
  expect(nameUuid('answer prm_1', 8)).toBe('31ff891d-e91d-8b99-a7d3-a7081dac1991');
  expect(nameUuid('run uuid', 4)).toBe('0b1b6844-cb91-45dd-a352-6f27ca54e9e3');
});
