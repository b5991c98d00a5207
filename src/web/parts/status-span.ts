import type { StatusStep } from '../../protocol/api.js';
import type { AgentStatus } from '../../protocol/status.js';

export type DatedStatus = Pick<StatusStep, 'report' | 'at'>;

/** A time during which an agent had one status. */
export interface Span {
  readonly state: AgentStatus['state'];
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
    if (last && last.state === report.state) spans[spans.length - 1] = { ...last, to };
    else spans.push({ state: report.state, why: report.why, from: Date.parse(at), to });
  }
  return spans;
}

/** How long each status lasted, the longest first. */
export function totalsOf(spans: readonly Span[]): { readonly state: Span['state']; readonly ms: number }[] {
  const totals = new Map<Span['state'], number>();
  for (const { state, from, to } of spans)
    totals.set(state, (totals.get(state) ?? 0) + Math.max(0, to - from));
  return Array.from(totals, ([state, ms]) => ({ state, ms })).toSorted((one, other) => other.ms - one.ms);
}
