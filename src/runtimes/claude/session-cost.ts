import type { WireResult } from './wire.js';

/** What turns cost. The SDK's total grows over the session, and over earlier lives of a resumed one. */
export class SessionCost {
  #total = 0;

  of(result: WireResult): number | null {
    const total = result.total_cost_usd;
    const since = result.model_usage_since_last_result;
    const cost = since
      ? Object.values(since).reduce((sum, usage) => sum + (usage.costUSD ?? 0), 0)
      : total === undefined
        ? null
        : Math.max(0, total - this.#total);
    this.#total = total ?? this.#total;
    return cost;
  }
}
