/** A worker that work could be given to. */
export interface WorkerCandidate {
  readonly id: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly slots: number;
  /** How much of its work is under way. */
  readonly underWay: number;
  readonly isDraining: boolean;
  /** It has not said for a while that it lives. */
  readonly isSilent: boolean;
  /** The one that the work was given to. */
  readonly isSelf: boolean;
}

/** Whom work goes to that asks for a worker or a label, or why nobody can have it. */
export type WorkPlacement =
  | { readonly to: string }
  | { readonly refused: 'unknown' | 'draining' | 'silent'; readonly name?: string };

/**
 * A name is one worker and nobody else, and its work waits for it. Of those that have a label, the one with the most free
 * slots; of equals the one that was asked, then by name.
 */
export function placeWork(on: string, candidates: readonly WorkerCandidate[]): WorkPlacement {
  const named = candidates.find(({ name, id }) => name === on || id === on);
  if (named) return named.isDraining ? { refused: 'draining', name: named.name } : { to: named.id };
  const labelled = candidates.filter(({ labels }) => labels.includes(on));
  if (labelled.length === 0) return { refused: 'unknown' };
  const taking = labelled.filter(({ isDraining }) => !isDraining);
  if (taking.length === 0) return { refused: 'draining' };
  const [best] = taking.filter(({ isSilent }) => !isSilent).toSorted(byRoom);
  return best ? { to: best.id } : { refused: 'silent' };
}

/**
 * Whom work goes to that can be done anywhere: this worker while it has room, else the one with the most free slots of those
 * that have the runtime. Where nobody has room it waits here.
 */
export function placeAnywhere(
  candidates: readonly (WorkerCandidate & { readonly canRun: boolean })[],
): string | undefined {
  const takes = candidates.filter(({ isDraining, isSilent, canRun }) => !isDraining && !isSilent && canRun);
  const self = takes.find(({ isSelf }) => isSelf);
  const [best] = takes.toSorted(byRoom);
  if (self && (freeOf(self) > 0 || !best || freeOf(best) <= 0)) return self.id;
  return best?.id;
}

function byRoom(one: WorkerCandidate, other: WorkerCandidate): number {
  return (
    freeOf(other) - freeOf(one) ||
    Number(other.isSelf) - Number(one.isSelf) ||
    one.name.localeCompare(other.name)
  );
}

function freeOf({ slots, underWay }: WorkerCandidate): number {
  return slots - underWay;
}
