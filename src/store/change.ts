import type { DispatchId, PromptId, RuleId, RunId, ThreadId } from '../protocol/id.js';

/** What a committed unit changed; a hint to read, not the data. */
export type Change = ChangedThing & {
  /** Another worker has done it to a thread of its own, so that nobody else has anything to do but to show it. */
  readonly ofOwner?: true | undefined;
};

type ChangedThing =
  | { readonly topic: 'thread'; readonly threadId: ThreadId }
  | { readonly topic: 'events'; readonly threadId: ThreadId; readonly seq: number }
  | { readonly topic: 'status'; readonly threadId: ThreadId }
  | { readonly topic: 'run'; readonly threadId: ThreadId; readonly runId: RunId }
  | { readonly topic: 'dispatch'; readonly threadId: ThreadId; readonly dispatchId: DispatchId }
  | { readonly topic: 'prompt'; readonly threadId: ThreadId; readonly promptId: PromptId }
  | { readonly topic: 'rule'; readonly ruleId: RuleId }
  | { readonly topic: 'outbox'; readonly id: string };

export type Topic = Change['topic'];

/** What a subscriber is told: a change, or that changes were dropped and it must read again. */
export type Notice = Change | { readonly topic: 'missed'; readonly changes: number };

/** Which changes a subscriber wants; without topics all, without a thread those of every thread. */
export interface ChangeFilter {
  readonly topics?: readonly Topic[];
  readonly threadId?: ThreadId;
  /** Only what other workers changed, or only what this one did. */
  readonly by?: ChangeOrigin;
  /** Somebody looks on: what other workers do to their own threads is wanted, too, and soon. */
  readonly shows?: true;
}

/** Who changed something: this worker or another one. */
export type ChangeOrigin = 'self' | 'others';

export function matches(filter: ChangeFilter, change: Change, origin: ChangeOrigin): boolean {
  if (filter.by !== undefined && filter.by !== origin) return false;
  if (filter.topics && !filter.topics.includes(change.topic)) return false;
  return filter.threadId === undefined || ('threadId' in change && change.threadId === filter.threadId);
}
