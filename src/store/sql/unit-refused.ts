import type { Obstacle } from '../unit.js';

/** Thrown by an operation to take its unit back; never leaves the thread, where it becomes a refusal. */
export class UnitRefused extends Error {
  override readonly name = 'UnitRefused';
  /** The row that does not meet the condition; null when there is none. */
  readonly current: Obstacle | null;

  constructor(current: Obstacle | null) {
    super(current ? 'A condition does not hold.' : 'There is no such row.');
    this.current = current;
  }
}
