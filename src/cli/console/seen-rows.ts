/** Rows from one on, up to but without another. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** The spans with one more, in order and joined where they touch. */
export function withSpan(spans: readonly RowSpan[], added: RowSpan): RowSpan[] {
  if (added.to <= added.from) return [...spans];
  const joined: RowSpan[] = [];
  for (const span of [...spans, added].toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && span.from <= last.to)
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    else joined.push(span);
  }
  return joined;
}

/** How many of so many rows are in none of the spans. */
export function rowsOutside(spans: readonly RowSpan[], total: number): number {
  const inside = spans.reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, total) - Math.min(from, total)),
    0,
  );
  return total - inside;
}

/** The first row that is in none of the spans. */
export function firstOutside(spans: readonly RowSpan[]): number {
  const [first] = spans;
  return first && first.from === 0 ? first.to : 0;
}
