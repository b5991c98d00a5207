import type { DispatchId } from '../../protocol/id.js';
import { sha256 } from '../sha256.js';

/**
 * The ids of a trace and its spans, made from the ids of what is committed: whoever tells of the same thing, after a restart or on
 * another worker, tells it under the same ids.
 */
export function traceIdOf(dispatchId: DispatchId): string {
  return sha256(`trace ${dispatchId}`).slice(0, 32);
}

/** The span of a dispatch, or of a part of it: a try, a turn, a tool call, a question. */
export function spanIdOf(dispatchId: DispatchId, ...part: readonly (string | number)[]): string {
  return sha256(['span', dispatchId, ...part].join(' ')).slice(0, 16);
}
