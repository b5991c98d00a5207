import { type ReactNode, Suspense, useRef, useState } from 'react';
import { longestSearch } from '../../domain/thread/search-words.js';
import { turnGroups, turnHead } from '../../domain/thread/turn-group.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { keysOf } from '../../protocol/keys.js';
import { useKeys } from '../keys/use-keys.js';
import { loadedPart } from '../loaded-part.js';
import { type Filter, noFilter } from './filter.js';

// The list does not wait for it.
const SavedViews = loadedPart(() => import('./saved-views.js'));

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
  const [isOpen, setOpen] = useState(false);
  const { text: _text, ...narrowing } = filter;
  const count = keysOf(narrowing).filter((each) => narrowing[each] !== noFilter[each]).length;
  useKeys({ '/': () => field.current?.focus() });
  return (
    <search className={isOpen ? 'filter-bar' : 'filter-bar is-folded'}>
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
      <button type="button" className="filter-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {count === 0 ? 'Filter' : `Filter (${count})`}
      </button>
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
