import type { Thread } from '../../protocol/thread.js';
import { groupOf } from './thread-group.js';

/** Whether a thread is put off now. What it asks, or how it fails, after that was said is news, and brings it back. */
export function isSnoozed(thread: Thread, now: number): boolean {
  const { snoozed, status } = thread;
  if (!snoozed || Date.parse(snoozed.until) <= now) return false;
  if (status.state === 'question') return Date.parse(status.since) <= Date.parse(snoozed.at);
  return snoozed.hadFailed || groupOf(thread) !== 'failed';
}
