import { isOpen, type ThreadPrompt } from '../domain/prompts/thread-prompt.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { type Clock, instant } from './clock.js';
import type { LiveFeed } from './feeds/live-feed.js';
import type { StatusFeed } from './feeds/status-feed.js';
import type { NotificationSender } from './notify/notification-sender.js';
import type { SecretAnswers } from './prompts/secret-answers.js';
import type { CommandDelivery } from './runs/command-delivery.js';
import type { CommentDelivery } from './runs/comment-delivery.js';
import type { RunSupervisor } from './runs/run-supervisor.js';
import type { ThreadActivity } from './threads/thread-activity.js';
import type { CommittedChange } from './threads/thread-changes.js';
import type { ThreadState } from './threads/thread-state.js';

const notifiedTypes = new Set(['prompt_asked', 'dispatch_ended']);

export interface AfterCommitParts {
  readonly activity: ThreadActivity;
  readonly feed: LiveFeed;
  readonly statuses: StatusFeed;
  readonly delivery: CommandDelivery;
  readonly comments: CommentDelivery;
  readonly supervisor: RunSupervisor;
  readonly secrets: SecretAnswers;
  readonly notifications: NotificationSender;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** What follows from a committed change: whoever looks sees it, whoever waits gets it. Nothing is published before. */
export class AfterCommit {
  readonly #parts: AfterCommitParts;

  constructor(parts: AfterCommitParts) {
    this.#parts = parts;
  }

  follow({ state, before, events }: CommittedChange): void {
    const { activity, feed, statuses, delivery, secrets, notifications } = this.#parts;
    const { id, status } = state.thread;
    activity.note(id, events);
    feed.publish(id, events);
    if (status !== before.thread.status) statuses.publish({ threadId: id, status });
    secrets.forgetSettled(state);
    for (const prompt of newlyAsked(before, state)) {
      if (prompt.acceptedAt !== undefined) delivery.answer(prompt);
      else if (isOpen(prompt)) delivery.secret(prompt);
    }
    if (events.some(({ type }) => notifiedTypes.has(type))) notifications.wake();
    if (events.some(({ type }) => type === 'review_comment_added')) void this.#tellComments(state);
    if (hasLeftPlanMode(before, state)) void this.#workWithoutAsking(state);
  }

  /** The runner hears that its comment is kept; from then on it is gone when it is removed. */
  async #tellComments({ run }: ThreadState): Promise<void> {
    const { comments, log } = this.#parts;
    if (!run) return;
    try {
      await comments.tell(run.run);
    } catch (error) {
      log(`${run.run.id}: ${errorSentence(error)}`);
    }
  }

  /** From the approved plan on, an autonomous agent works as autonomous agents do. */
  async #workWithoutAsking({ run }: ThreadState): Promise<void> {
    const { supervisor, clock, log } = this.#parts;
    if (!run) return;
    try {
      const posture = { permissionMode: 'bypassPermissions' } as const;
      await supervisor.amend(run.run.id, { posture, actor: 'policy:autonomous', at: instant(clock) });
    } catch (error) {
      log(`${run.run.id}: ${errorSentence(error)}`);
    }
  }
}

/** Prompts whose request has just become known. */
function newlyAsked(before: ThreadState, { prompts, run }: ThreadState): readonly ThreadPrompt[] {
  return prompts.filter((prompt) => {
    if (prompt.runId !== run?.run.id) return false;
    return !before.prompts.some(({ id, requestId }) => id === prompt.id && requestId === prompt.requestId);
  });
}

/** Whether the plan of an autonomous thread was approved just now. */
function hasLeftPlanMode(before: ThreadState, { thread, run }: ThreadState): boolean {
  if (thread.launch.permissions !== 'autonomous' || before.run?.run.id !== run?.run.id) return false;
  return run?.facts.mode === 'default' && before.run?.facts.mode !== 'default';
}
