import { type RawBuilder, sql } from 'kysely';
import type { ThreadFilter } from '../query.js';
import { hasLabels, idHas } from './paging.js';
import type { Reader } from './reader.js';

/** Whether a row of `threads` is one of these. */
export function isAmong(reader: Reader, filter: ThreadFilter): RawBuilder<boolean> {
  const { dialect } = reader;
  const { name, runtime, workspace, state, result, labels = [], search, archived, quietSince } = filter;
  const conditions = [
    idHas(reader, filter),
    ...(name === undefined ? [] : [sql`${dialect.isNamed('name', name)} and archived_at is null`]),
    ...(runtime === undefined ? [] : [sql`runtime = ${runtime}`]),
    ...(workspace === undefined ? [] : [isIn(reader, workspace)]),
    ...(state === undefined ? [] : [sql`(${newest(sql.ref('state'))}) = ${state}`]),
    ...(result === undefined ? [] : [sql`(${newest(dialect.field('outcome', 'result'))}) = ${result}`]),
    ...(labels.length === 0
      ? []
      : [
          sql`exists (select 1 from dispatches where thread_id = threads.id and ${hasLabels(reader, labels)})`,
        ]),
    ...(search === undefined
      ? []
      : [sql`id in (select thread_id from search_texts where n in (${dialect.placesOf(search)}))`]),
    ...(archived === undefined ? [] : [archived ? sql`archived_at is not null` : sql`archived_at is null`]),
    ...(quietSince === undefined ? [] : [isQuietSince(quietSince)]),
    ...(filter.own ? [reader.isOwnThread('threads.id')] : []),
    ...(filter.inTerminal ? [sql`terminal is not null`] : []),
    ...(filter.hasWorktree ? [dialect.isTrue('workspace', 'worktree')] : []),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** A worktree is elsewhere; its work was asked for in the checkout that it came from. */
function isIn({ dialect }: Reader, folder: string): RawBuilder<unknown> {
  const path = folder.replace(/\/+$/, '');
  const below = `${path}/`;
  const places = [dialect.field('workspace', 'path'), dialect.field('origin', 'top')].map((place) => {
    return sql`(${place} = ${path} or substr(${place}, 1, ${sql.lit(below.length)}) = ${below})`;
  });
  return sql`(${sql.join(places, sql` or `)})`;
}

function isQuietSince(instant: string): RawBuilder<unknown> {
  return sql`not exists (select 1 from dispatches where thread_id = threads.id and state <> 'ended')
    and coalesce((select timestamp from events where thread_id = threads.id order by seq desc limit 1), created_at) < ${instant}`;
}

function newest(column: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${column} from dispatches where thread_id = threads.id order by n desc limit 1`;
}
