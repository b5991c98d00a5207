import { expect, test } from 'vitest';
import { roomFindings } from '../../../src/domain/preflight/room.js';

const place = { what: 'the workspace', path: '/w' };

test.each([
  [{ bytes: 4 * 2 ** 20, inodes: 1 }, []],
  [{ bytes: 4 * 2 ** 20, inodes: null }, []],
  [{ bytes: 2 ** 20, inodes: 1 }, ['The disk of the workspace (/w) is full: 1.0 MB are free.']],
  [
    { bytes: 2 ** 40, inodes: 0 },
    ['The disk of the workspace (/w) is full: no more files can be made there.'],
  ],
])('%j', (free, problems) => {
  expect(roomFindings(place, free).map(({ problem }) => problem)).toEqual(problems);
});
