/** A cost; one that nobody knows is a dash, never 0. */
export function money(costUsd: number | null | undefined): string {
  if (costUsd === null || costUsd === undefined) return '–';
  return costUsd > 0 && costUsd < 0.005 ? '<$0.01' : `$${costUsd.toFixed(2)}`;
}
