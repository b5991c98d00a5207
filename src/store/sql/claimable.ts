import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from './transaction.js';

/**
 * The ids of the work that may start now: what is taken may close its workspace to the next, so of each workspace only the first.
 */
export function claimableIds(
  tx: Transaction,
  wanted: { readonly now: string; readonly limit: number },
): RawBuilder<unknown> {
  return sql`
    with found as (${claimable(tx, wanted)})
    select id
    from (
      select id, row_number() over (partition by coalesce(exclusive_path, id) order by priority desc, n) as place
      from found
    ) as placed
    where place = 1`;
}

/**
 * The work that may start now; what that is, `claimDispatches` says.
 * `state <> 'ended'` stands where it seems to say nothing, because SQLite takes a partial index only for its own condition.
 */
function claimable(
  tx: Transaction,
  { now, limit }: { readonly now: string; readonly limit: number },
): RawBuilder<unknown> {
  const { dialect } = tx;
  return sql`
    select d.id, d.priority, d.n, t.exclusive_path
    from dispatches as d ${dialect.byIndex('queued_dispatches')}
    join threads as t on t.id = d.thread_id
    where d.state = 'queued'
      and (d.not_before is null or d.not_before <= ${now})
      and ${tx.isOwnRow('t')}
      and t.terminal is null
      and not exists (
        select 1
        from dispatches as limited ${dialect.byIndex('dispatches_waiting')}
        join threads as its on its.id = limited.thread_id
        where limited.waits_for is not null
          and limited.not_before > ${now}
          and limited.state = 'queued'
          and its.runtime = t.runtime
          and coalesce(its.account, '') = coalesce(t.account, '')
          and ${tx.isOwnRow('its')}
      )
      and not exists (
        select 1
        from dispatches as earlier
        where earlier.thread_id = d.thread_id
          and earlier.n < d.n
          and earlier.state <> 'ended'
      )
      and not exists (
        select 1
        from threads as other
        where other.exclusive_path = t.exclusive_path
          and ${tx.isOwnRow('other')}
          and other.id <> t.id
          and (
            other.terminal is not null
            or exists (select 1 from runs where runs.thread_id = other.id and runs.ended_at is null)
            or exists (
              select 1
              from dispatches as live
              where live.thread_id = other.id
                and live.state <> 'ended'
                and live.state = 'running'
            )
          )
      )
    order by d.priority desc, d.n
    limit ${sql.lit(limit)}
    ${dialect.passingOverLocked('d')}`;
}
