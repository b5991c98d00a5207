import { expect, test } from 'vitest';
import { refusalOf } from '../../../src/cli/settings/settings.js';
import { shownValue } from '../../../src/cli/settings/shown-value.js';

test.each([
  ['postgres://me:pears@db/work', 'postgres://me:***@db/work'],
  ['postgres://me:pe@ars@db/work', 'postgres://me:***@db/work'],
  ['postgres://me@db/work', 'postgres://me@db/work'],
  ['mysql://me:pears@db/work', 'mysql://me:***@db/work'],
])('the password in %s is not printed', (url, shown) => {
  expect(shownValue('store', url)).toBe(shown);
  expect(refusalOf('store', url)).not.toContain('pears');
});
