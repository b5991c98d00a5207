import { inTerminal } from '../../domain/thread/take-over.js';
import { Failure } from '../../protocol/failure.js';
import type { StoredThread } from '../../store/stored-thread.js';

/** Refuses what would change a thread under the hands of somebody who has it in a terminal. */
export function expectNoTerminal({ id, terminal }: StoredThread): void {
  if (terminal) throw new Failure('conflict', inTerminal(id, terminal));
}
