import type { Thread } from '../../protocol/thread.js';
import { settlementOf } from './settlement.js';
import { isSnoozed } from './snooze.js';
import { groupOf } from './thread-group.js';

/** The groups of the web console's lists, in the order in which they are shown: whose turn it is. */
export const turnGroups = [
  'needs you',
  'failed',
  'ready to review',
  'working',
  'queued',
  'landed',
  'at rest',
  'snoozed',
] as const;
export type TurnGroup = (typeof turnGroups)[number];

/** Whose turn it is in a thread; work that succeeded is to be reviewed until it has landed. */
export function turnGroupOf(thread: Thread, now: number): TurnGroup {
  if (isSnoozed(thread, now)) return 'snoozed';
  const group = groupOf(thread);
  if (group !== 'done' && group !== 'failed') return group;
  const how = settlementOf(thread)?.how;
  if (how !== undefined) return how === 'discard' ? 'at rest' : 'landed';
  if (group === 'failed') return 'failed';
  return thread.lastDispatch?.result === 'succeeded' ? 'ready to review' : 'at rest';
}

/** A group as its head names it. */
export function turnHead(group: TurnGroup): string {
  return group.charAt(0).toUpperCase() + group.slice(1);
}
