import { type RawBuilder, sql } from 'kysely';
import type { LabelFilter } from '../query.js';

/** Whether a dispatch has all of these labels. Compared as values: a path into JSON would be made from what somebody typed. */
export function hasLabels(labels: readonly LabelFilter[]): RawBuilder<boolean> {
  const each = labels.map(({ key, value }) => {
    const isValue = value === undefined ? sql`true` : sql`label.value = ${value}`;
    return sql`exists (select 1 from json_each(dispatches.labels) as label where label.key = ${key} and ${isValue})`;
  });
  return sql<boolean>`${sql.join(each, sql` and `)}`;
}
