import { type Mark, statusMark } from '../../domain/status/status-mark.js';
import type { StatusStep } from '../../protocol/api.js';

export type DatedStatus = Pick<StatusStep, 'report' | 'at'>;

/** A time during which an agent had one status. */
export interface Span {
  readonly mark: Mark;
  readonly why: string;
  readonly from: number;
  readonly to: number;
}

/** The spans between steps, the oldest first; the last one lasts until now, and neighbours of one status are one. */
export function spansOf(steps: readonly DatedStatus[], now: number): Span[] {
  const spans: Span[] = [];
  for (const [index, { report, at }] of steps.entries()) {
    const next = steps[index + 1];
    const to = next ? Date.parse(next.at) : now;
    const last = spans.at(-1);
    if (last && last.mark.word === statusMark(report).word) spans[spans.length - 1] = { ...last, to };
    else spans.push({ mark: statusMark(report), why: report.why, from: Date.parse(at), to });
  }
  return spans;
}

/** How long each status lasted, the longest first. */
export function totalsOf(spans: readonly Span[]): { readonly mark: Mark; readonly ms: number }[] {
  const totals = new Map<string, { readonly mark: Mark; readonly ms: number }>();
  for (const { mark, from, to } of spans) {
    const before = totals.get(mark.word)?.ms ?? 0;
    totals.set(mark.word, { mark, ms: before + Math.max(0, to - from) });
  }
  return [...totals.values()].toSorted((one, other) => other.ms - one.ms);
}
