import { useEffect, useState } from 'react';
import type { Filter } from './filter.js';
import { addressOf, filterOf } from './filter-address.js';

/** The filter of this page, kept in its address: a reload, a bookmark and the way back show the same list. */
export function useFilter(): [Filter, (filter: Filter) => void] {
  const [filter, setFilter] = useState(() => filterOf(location.search));
  useEffect(() => {
    const read = () => setFilter(filterOf(location.search));
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  return [
    filter,
    (next) => {
      setFilter(next);
      history.replaceState(null, '', `${location.pathname}${addressOf(next)}`);
    },
  ];
}
