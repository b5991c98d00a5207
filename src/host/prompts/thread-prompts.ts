import { seenFolder } from '../../domain/container/seen-folder.js';
import { PromptFold } from '../../domain/prompts/prompt-fold.js';
import { noCall } from '../../domain/run/waiting-call.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { ThreadChange } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import { answerUuid } from './answer-message.js';
import { askAgainUuid } from './ask-again-message.js';

/** The prompts of a thread, ready to be changed. */
export function promptsIn({ thread, run, prompts }: ThreadState): PromptFold {
  return new PromptFold({
    threadId: thread.id,
    cwd: thread.workspace.path,
    seenAs: seenFolder({ workspace: thread.workspace, container: thread.launch.posture.container }),
    project: projectOf(thread),
    permissions: thread.launch.permissions,
    launchMode: thread.launch.posture.permissionMode,
    mode: run?.facts.mode,
    unanswered: run?.facts.unanswered,
    grants: thread.grants,
    work: run?.facts.work?.id,
    waitingCall: run?.facts.waitingCall ?? noCall,
    prompts,
    answerUuid,
    askAgainUuid,
  });
}

/** The folder that the work of a thread was asked for in; a worktree is elsewhere. */
export function projectOf({ origin, workspace }: Pick<StoredThread, 'origin' | 'workspace'>): string {
  return origin?.top ?? workspace.path;
}

/** The change of a thread that what was done to its prompts amounts to. */
export function promptChange<Result>(
  state: ThreadState,
  { changes, events, prompts }: PromptFold,
  result: Result,
): ThreadChange<Result> {
  return { operations: changes, events, state: { ...state, prompts }, result };
}
