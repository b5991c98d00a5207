import { type RawBuilder, sql } from 'kysely';
import type { ThreadFilter } from '../query.js';
import { hasLabels } from './labels.js';
import { idHas } from './paging.js';
import { placesOf } from './search-hits.js';

/** Whether a row of `threads` is one of these. */
export function isAmong(filter: ThreadFilter): RawBuilder<boolean> {
  const { name, runtime, workspace, state, result, labels = [], search, archived, quietSince } = filter;
  const conditions = [
    idHas(filter),
    ...(name === undefined ? [] : [sql`name = ${name} collate nocase and archived_at is null`]),
    ...(runtime === undefined ? [] : [sql`runtime = ${runtime}`]),
    ...(workspace === undefined ? [] : [isIn(workspace)]),
    ...(state === undefined ? [] : [sql`(${newest('state')}) = ${state}`]),
    ...(result === undefined ? [] : [sql`(${newest("outcome ->> 'result'")}) = ${result}`]),
    ...(labels.length === 0
      ? []
      : [sql`exists (select 1 from dispatches where thread_id = threads.id and ${hasLabels(labels)})`]),
    ...(search === undefined
      ? []
      : [sql`id in (select thread_id from search_texts where n in (${placesOf(search)}))`]),
    ...(archived === undefined ? [] : [archived ? sql`archived_at is not null` : sql`archived_at is null`]),
    ...(quietSince === undefined ? [] : [isQuietSince(quietSince)]),
    ...(filter.inTerminal ? [sql`terminal is not null`] : []),
    ...(filter.hasWorktree ? [sql`workspace ->> 'worktree'`] : []),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** A worktree is elsewhere; its work was asked for in the checkout that it came from. */
function isIn(folder: string): RawBuilder<unknown> {
  const path = folder.replace(/\/+$/, '');
  const below = `${path}/`;
  const places = ["workspace ->> 'path'", "origin ->> 'top'"].map((column) => {
    const place = sql.raw(column);
    return sql`(${place} = ${path} or substr(${place}, 1, ${below.length}) = ${below})`;
  });
  return sql`(${sql.join(places, sql` or `)})`;
}

function isQuietSince(instant: string): RawBuilder<unknown> {
  return sql`not exists (select 1 from dispatches where thread_id = threads.id and state <> 'ended')
    and coalesce((select timestamp from events where thread_id = threads.id order by seq desc limit 1), created_at) < ${instant}`;
}

function newest(column: string): RawBuilder<unknown> {
  return sql`select ${sql.raw(column)} from dispatches where thread_id = threads.id order by n desc limit 1`;
}
