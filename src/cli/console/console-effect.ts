import type { DispatchId, PromptId, ThreadId } from '../../protocol/id.js';
import type { Answer, Prompt } from '../../protocol/prompt.js';
import type { CommentTarget } from './diff-place.js';
import type { LandingKind } from './landing-step.js';

/** Something that a key asks for and that takes a while; what comes of it is told as an input. */
export type ConsoleEffect =
  | { readonly kind: 'answer'; readonly prompt: Prompt; readonly answer: Answer }
  | { readonly kind: 'undo'; readonly promptId: PromptId }
  | { readonly kind: 'edit'; readonly prompt: Prompt }
  | { readonly kind: 'write'; readonly threadId: ThreadId; readonly text: string }
  | { readonly kind: 'interrupt'; readonly threadId: ThreadId }
  | { readonly kind: 'retry'; readonly dispatchIds: readonly DispatchId[] }
  | { readonly kind: 'archive'; readonly threadIds: readonly ThreadId[] }
  /** Until a time; null wakes them. */
  | { readonly kind: 'snooze'; readonly threadIds: readonly ThreadId[]; readonly until: string | null }
  | { readonly kind: 'give_work'; readonly text: string; readonly isWorktree: boolean }
  | { readonly kind: 'search'; readonly words: string }
  | { readonly kind: 'read_thread'; readonly threadId: ThreadId }
  | { readonly kind: 'read_earlier' }
  | { readonly kind: 'read_changes'; readonly threadId: ThreadId }
  | { readonly kind: 'land'; readonly threadId: ThreadId; readonly how: LandingKind }
  | {
      readonly kind: 'comment';
      readonly threadId: ThreadId;
      readonly target: CommentTarget;
      readonly body: string;
      /** Since when it was being written. */
      readonly since: number;
    }
  | { readonly kind: 'remove_comment'; readonly threadId: ThreadId; readonly id: string }
  | {
      readonly kind: 'resolve_comment';
      readonly threadId: ThreadId;
      readonly id: string;
      readonly to: 'open' | 'resolved';
    }
  | { readonly kind: 'send_comments'; readonly threadId: ThreadId }
  | { readonly kind: 'read_history' }
  | { readonly kind: 'attach'; readonly threadId: ThreadId }
  | { readonly kind: 'mouse'; readonly isOn: boolean }
  | { readonly kind: 'quit' };
