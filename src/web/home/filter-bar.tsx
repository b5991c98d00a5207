import { lazy, type ReactNode, Suspense, useRef } from 'react';
import { longestSearch } from '../../domain/thread/search-words.js';
import { turnGroups, turnHead } from '../../domain/thread/turn-group.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { useKeys } from '../keys/use-keys.js';
import type { Filter } from './filter.js';

// The list does not wait for it.
const SavedViews = lazy(() => import('./saved-views.js'));

const choices: readonly Filter['group'][] = [...turnGroups, 'archived'];

/** Search and narrowing; `/` goes there. */
export function FilterBar({
  filter,
  runtimes,
  workspaces,
  onChange,
}: {
  readonly filter: Filter;
  readonly runtimes: readonly string[];
  readonly workspaces: readonly string[];
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
        placeholder="Search threads and what was said in them"
        maxLength={longestSearch}
        aria-keyshortcuts="/"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <select
        aria-label="Group"
        value={filter.group}
        onChange={(event) =>
          onChange({ ...filter, group: choices.find((group) => group === event.target.value) ?? 'all' })
        }
      >
        <option value="all">All groups</option>
        {turnGroups.map((group) => (
          <option key={group} value={group}>
            {turnHead(group)}
          </option>
        ))}
        <option value="archived">Archived</option>
      </select>
      {(runtimes.length > 1 || filter.runtime !== '') && (
        <select
          aria-label="Runtime"
          value={filter.runtime}
          onChange={(event) => onChange({ ...filter, runtime: event.target.value })}
        >
          <option value="">All runtimes</option>
          {runtimes.map((runtime) => (
            <option key={runtime}>{runtime}</option>
          ))}
        </select>
      )}
      {(workspaces.length > 1 || filter.workspace !== '') && (
        <select
          aria-label="Workspace"
          className="filter-workspace"
          value={filter.workspace}
          onChange={(event) => onChange({ ...filter, workspace: event.target.value })}
        >
          <option value="">All workspaces</option>
          {workspaces.map((path) => (
            <option key={path} value={path}>
              {plainLine(path)}
            </option>
          ))}
        </select>
      )}
      <input
        type="search"
        className="filter-label"
        aria-label="Label"
        placeholder="Label"
        maxLength={longestSearch}
        value={filter.label}
        onChange={(event) => onChange({ ...filter, label: event.target.value })}
      />
      <Suspense>
        <SavedViews filter={filter} onChange={onChange} />
      </Suspense>
    </search>
  );
}
