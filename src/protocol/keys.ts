/** The keys of a table of ours, typed; safe because such tables are literals without further keys. */
export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return Object.keys(table) as (keyof Table & string)[];
}
