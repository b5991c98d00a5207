import type { WorkSettled } from '../../protocol/changes.js';
import type { Thread } from '../../protocol/thread.js';

/** What became of the last work of a thread, once somebody has landed or discarded it. */
export function settlementOf({
  settled,
  lastDispatch,
}: Pick<Thread, 'settled' | 'lastDispatch'>): WorkSettled | undefined {
  return settled?.dispatchId === lastDispatch?.id ? settled : undefined;
}
