import type { PromptId, RunId, ThreadId } from '../../protocol/id.js';
import type { UnansweredRules } from '../../protocol/prompt.js';
import type { SavedSession } from '../run/saved-session.js';
import type { WaitingCall } from '../run/waiting-call.js';
import type { ThreadPolicies } from './policy-decision.js';
import type { StandingRule } from './rule-match.js';
import type { ThreadPrompt } from './thread-prompt.js';

const withdrawing = 'withdrawn-';

/** The id of the command that withdraws a request. */
export function withdrawalId(requestId: string): string {
  return `${withdrawing}${requestId}`;
}

/** The request that a command withdraws, where it is such a command. */
export function withdrawnRequest(commandId: string): string | undefined {
  return commandId.startsWith(withdrawing) ? commandId.slice(withdrawing.length) : undefined;
}

/** What it takes to open a prompt. */
export interface PromptRules {
  readonly newId: () => PromptId;
  readonly sha256: (text: string) => string;
  /** What happens to prompts that nobody answers, where the work does not say. */
  readonly unanswered: UnansweredRules;
  /** The rules that are on, as far as is known; using one that is not refuses the change. */
  readonly standing?: readonly StandingRule[];
  /** Whether the file that a path below a folder of the machine leads to, over all links, is below it too. */
  readonly isReallyInside?: (folder: string, path: string) => boolean;
}

/** What holds when an event comes. */
export interface EventCircumstances {
  readonly at: string;
  readonly rules: PromptRules;
  /** The turn that it comes from was begun for work that is over. */
  readonly isOfOverWork?: boolean;
}

/** The thread whose prompts are folded, as far as they depend on it. */
export interface PromptThread extends ThreadPolicies {
  readonly threadId: ThreadId;
  readonly cwd: string;
  /** The same folder by the name that its agent has for it, which is another one in a container. */
  readonly seenAs: string;
  /** The folder that its work was asked for in; earlier answers there are precedents here. */
  readonly project?: string;
  /** What the present work says about prompts that nobody answers. */
  readonly unanswered: UnansweredRules | undefined;
  /** The present work; none while its agent has none. */
  readonly work?: string | undefined;
  readonly waitingCall: WaitingCall;
  /** Prompts that are not over, oldest first. */
  readonly prompts: readonly ThreadPrompt[];
  /** The message that carries the answer to a prompt, where no request waits for it. */
  readonly answerUuid: (promptId: PromptId) => string;
  /** The message that asks the agent of a run to ask again for a secret. */
  readonly askAgainUuid: (promptId: PromptId, runId: RunId) => string;
}

/** A request to which the agent is told that nobody answers. */
export type DeclinedRequest = Pick<ThreadPrompt, 'runId' | 'requestId' | 'toolUseId' | 'reason' | 'actor'> & {
  /** Its work is over: the agent must not go on with it, now that it is woken for other work. */
  readonly isOver?: boolean;
};

/** What the session of a run holds that is gone. */
export interface SessionMemory {
  readonly saved: SavedSession;
  /** Answers that were reported as used shortly before. */
  readonly used: readonly ThreadPrompt[];
  /** The requests whose calls were told that nobody answers, and could end. */
  readonly told: readonly string[];
  readonly at: string;
}
