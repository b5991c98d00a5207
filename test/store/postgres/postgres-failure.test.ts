import { expect, it } from 'vitest';
import { isConnectionLost } from '../../../src/store/postgres/postgres-failure.js';

it.each([
  ['in English', { code: '0A000', routine: 'RevalidateCachedQuery' }, true],
  ['in German', { code: '0A000', routine: 'RevalidateCachedQuery', language: 'de' }, true],
  ['of something else that is not supported', { code: '0A000', routine: 'transformSelectStmt' }, false],
  ['of a statement', { code: '22003', routine: 'int4in' }, false],
])('a plan that went stale, said %s, ends the connection: %j', (_, fields, isLost) => {
  expect(isConnectionLost(Object.assign(new Error('Das geht nicht.'), fields))).toBe(isLost);
});
