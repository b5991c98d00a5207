import type { DispatchId, ThreadId } from '../../protocol/id.js';
import type { Change } from '../change.js';
import type { Unit } from '../unit.js';

/**
 * What of a unit's changes was done to a thread by the worker that it belongs to: others may show it, and have nothing else to do.
 * Whatever is not known to be so is left out, and costs every other worker a look.
 */
export function changesOfOwner({ own, lease, operations }: Unit, changes: readonly Change[]): Change[] {
  const threads = new Set<ThreadId>(own === undefined ? [] : [own]);
  const dispatches = new Set<DispatchId>(lease ? [lease.dispatchId] : []);
  for (const operation of operations) {
    if (operation.do === 'insertThread' && operation.worker === undefined) threads.add(operation.thread.id);
    // A lease is renewed by whoever holds it, and taken by whoever has the thread.
    if (operation.do === 'renewLease') dispatches.add(operation.dispatchId);
  }
  return changes.filter(
    (change) =>
      ('threadId' in change && threads.has(change.threadId)) ||
      (change.topic === 'dispatch' && dispatches.has(change.dispatchId)),
  );
}
