import type { ReactNode } from 'react';
import * as z from 'zod';
import { KeptByName } from '../parts/kept-by-name.js';
import { KeptMenu } from '../parts/kept-menu.js';
import type { Filter } from './filter.js';
import { addressOf, filterOf } from './filter-address.js';

/** A filter under a name, as the address has it. */
const views = new KeptByName('handraise-views', z.object({ name: z.string(), address: z.string() }));

/** Filters that somebody comes back to. */
export default function SavedViews({
  filter,
  onChange,
}: {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}): ReactNode {
  return (
    <KeptMenu
      label="Views"
      kept={views}
      note="Kept in this browser. The address of the page has the same filters, for others."
      keepWords="Keep this view"
      current={(name) => {
        const address = addressOf(filter);
        return address === ''
          ? 'Search or choose something first: this is the whole list.'
          : { name, address };
      }}
      onTake={({ address }) => onChange(filterOf(address))}
    />
  );
}
