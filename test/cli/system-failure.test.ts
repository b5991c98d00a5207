import { expect, test } from 'vitest';
import { systemFailure } from '../../src/cli/system-failure.js';

function thrown(code: string): Error {
  return Object.assign(new Error(code), { code, path: '/home/x/worker.log' });
}

test.each([
  ['EROFS', 'no_permission', 'its file system is read-only'],
  ['EACCES', 'no_permission', 'is not allowed for this user'],
  ['EPERM', 'no_permission', 'is not allowed for this user'],
  ['ENOSPC', 'unavailable', 'the disk is full'],
  ['EDQUOT', 'unavailable', 'the disk is full'],
  ['EMFILE', 'unavailable', 'Too many files are open'],
])('%s is told as what it is', (code, failure, words) => {
  expect(systemFailure(thrown(code))).toMatchObject({
    code: failure,
    message: expect.stringContaining(words),
  });
});

test('anything else is not the system’s doing', () => {
  expect(systemFailure(thrown('ERR_ODD'))).toBeNull();
  expect(systemFailure('a word')).toBeNull();
});
