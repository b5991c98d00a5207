import { type ReactNode, useRef } from 'react';
import { useKeys } from '../keys/use-keys.js';
import type { Filter } from './filter.js';
import { groups } from './group.js';

/** Search and narrowing; `/` goes there. */
export function FilterBar({
  filter,
  runtimes,
  onChange,
}: {
  readonly filter: Filter;
  readonly runtimes: readonly string[];
  readonly onChange: (filter: Filter) => void;
}): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <search className="filter-bar">
      <input
        ref={field}
        type="search"
        aria-label="Search threads"
        placeholder="Search"
        aria-keyshortcuts="/"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <select
        aria-label="Group"
        value={filter.group}
        onChange={(event) =>
          onChange({ ...filter, group: groups.find((group) => group === event.target.value) ?? 'all' })
        }
      >
        <option value="all">all groups</option>
        {groups.map((group) => (
          <option key={group}>{group}</option>
        ))}
      </select>
      {runtimes.length > 1 && (
        <select
          aria-label="Runtime"
          value={filter.runtime}
          onChange={(event) => onChange({ ...filter, runtime: event.target.value })}
        >
          <option value="">all runtimes</option>
          {runtimes.map((runtime) => (
            <option key={runtime}>{runtime}</option>
          ))}
        </select>
      )}
    </search>
  );
}
