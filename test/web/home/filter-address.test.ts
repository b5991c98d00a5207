import { expect, it } from 'vitest';
import { noFilter } from '../../../src/web/home/filter.js';
import { addressOf, filterOf } from '../../../src/web/home/filter-address.js';

it('a filter is in the address, and comes back from it', () => {
  const filter = {
    text: 'a & b=c',
    group: 'needs you',
    runtime: 'codex',
    workspace: '/w x',
    label: 'k=v',
  } as const;
  const address = addressOf(filter);
  expect(address).toBe('?search=a+%26+b%3Dc&group=needs-you&runtime=codex&workspace=%2Fw+x&label=k%3Dv');
  expect(filterOf(address)).toEqual(filter);
  expect(addressOf(noFilter)).toBe('');
});

it('what an address says that is no filter is left out', () => {
  expect(filterOf('?group=nobody&other=1')).toEqual(noFilter);
  expect(filterOf(`?search=${'x'.repeat(9000)}`).text.length).toBe(500);
});
