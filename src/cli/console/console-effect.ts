import type { DispatchId, PromptId, ThreadId } from '../../protocol/id.js';
import type { Answer, Prompt } from '../../protocol/prompt.js';
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
  | { readonly kind: 'read_history' }
  | { readonly kind: 'attach'; readonly threadId: ThreadId }
  | { readonly kind: 'quit' };
