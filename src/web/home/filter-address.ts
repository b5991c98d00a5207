import { turnGroups } from '../../domain/thread/turn-group.js';
import { type Filter, noFilter } from './filter.js';

const groupNames: readonly Filter['group'][] = [...turnGroups, 'archived'];
// As much as the API takes.
const longestField = 500;

/** The filter that an address has behind its `?`; what it does not know is left out. */
export function filterOf(search: string): Filter {
  const fields = new URLSearchParams(search);
  const field = (name: string) => (fields.get(name) ?? '').slice(0, longestField);
  const group = field('group').replaceAll('-', ' ');
  return {
    text: field('search'),
    group: groupNames.find((name) => name === group) ?? noFilter.group,
    runtime: field('runtime'),
    workspace: field('workspace'),
    label: field('label'),
  };
}

/** What of a filter stands in the address; nothing for a list that shows everything. */
export function addressOf({ text, group, runtime, workspace, label }: Filter): string {
  const named = {
    search: text,
    group: group === 'all' ? '' : group.replaceAll(' ', '-'),
    runtime,
    workspace,
    label,
  };
  const given = Object.entries(named).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
