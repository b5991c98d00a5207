import type {
  Posted,
  ProjectCodeReport,
  RuntimeReport,
  StatusChange,
  ThreadDiff,
  ThreadRequest,
} from '../protocol/api.js';
import type { Dispatch, DispatchRequest, DispatchState } from '../protocol/dispatch.js';
import type { DispatchId, PromptId, ThreadId } from '../protocol/id.js';
import type { UserItem } from '../protocol/item.js';
import type { PermissionMode } from '../protocol/posture.js';
import type { Answer, Prompt, PromptState } from '../protocol/prompt.js';
import type { Thread } from '../protocol/thread.js';
import type { ThreadItem } from '../protocol/thread-item.js';
import type { Page, PageRequest } from '../store/page.js';
import type { IdPrefix } from '../store/query.js';
import type { StatusTransition } from '../store/status-transition.js';
import type { StoredEvent } from '../store/stored-event.js';
import type { StoredWorker } from '../store/stored-worker.js';
import type { Subscription } from '../store/subscription.js';
import type { UsageKey, UsageTotal } from '../store/usage-total.js';

/** Who asks, as it is recorded: `user:` and the name of the token. */
export type Actor = `user:${string}`;

/**
 * Everything that can be asked of a worker, by noun. HTTP is one face of it.
 * What is refused is thrown as a Failure; what is not there is `not_found`.
 */
export interface Host {
  readonly dispatches: Dispatches;
  readonly threads: Threads;
  readonly prompts: Prompts;
  readonly feed: EventFeed;
  readonly statuses: StatusBus;
  readonly projectCode: ProjectCode;
  /** Tells which threads and prompts have changed, once it is committed; whoever is told reads them. */
  changes(): Subscription;
  usage(by: UsageKey): Promise<readonly UsageTotal[]>;
  workers(): Promise<readonly StoredWorker[]>;
  runtimes(): Promise<readonly RuntimeReport[]>;
  /** Ends every agent properly, with its open prompts cancelled; the worker itself goes on. */
  stopAgents(actor: Actor): Promise<void>;
}

export interface Dispatches {
  /** Commits the work and returns; running it is the dispatcher's. The same key with the same request is the same dispatch. */
  submit(
    request: DispatchRequest,
    by: { readonly actor: Actor; readonly idempotencyKey?: string },
  ): Promise<{ readonly dispatch: Dispatch; readonly isNew: boolean }>;
  get(id: DispatchId): Promise<Dispatch>;
  list(
    query: PageRequest & IdPrefix & { readonly state?: DispatchState; readonly threadId?: ThreadId },
  ): Promise<Page<Dispatch>>;
  /** The dispatch once it has ended, or as it stands when the signal fires. */
  ended(id: DispatchId, signal: AbortSignal): Promise<Dispatch>;
  cancel(id: DispatchId, actor: Actor): Promise<Dispatch>;
  /** New work with the same request, which remembers what it repeats. */
  retry(id: DispatchId, actor: Actor): Promise<Dispatch>;
}

export interface Threads {
  create(request: ThreadRequest, actor: Actor): Promise<Thread>;
  get(id: ThreadId): Promise<Thread>;
  list(page: PageRequest & IdPrefix): Promise<Page<Thread>>;
  /** A part of the folded view: items that begin after an event, oldest first; `next` is where the next part begins. */
  items(
    id: ThreadId,
    part: { readonly after?: number; readonly limit?: number },
  ): Promise<{ readonly items: readonly ThreadItem[]; readonly next?: number }>;
  post(id: ThreadId, item: UserItem, actor: Actor): Promise<Posted>;
  events(
    id: ThreadId,
    part: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly StoredEvent[]>;
  statusLog(id: ThreadId, page: PageRequest): Promise<Page<StatusTransition>>;
  diff(id: ThreadId): Promise<ThreadDiff>;
  /** Cancels the running turn; the agent stays. */
  interrupt(id: ThreadId, actor: Actor): Promise<Thread>;
  /** Ends the agent's process; the next message starts it again. */
  stop(id: ThreadId, actor: Actor): Promise<Thread>;
  setModel(id: ThreadId, model: string, actor: Actor): Promise<Thread>;
  setPermissionMode(id: ThreadId, mode: PermissionMode, actor: Actor): Promise<Thread>;
  rewind(id: ThreadId, checkpointUuid: string, actor: Actor): Promise<Thread>;
  /** Removes the worktree of a thread: only a clean one, unless forced. */
  removeWorktree(id: ThreadId, options: { readonly force: boolean; readonly actor: Actor }): Promise<Thread>;
}

export interface Prompts {
  get(id: PromptId): Promise<Prompt>;
  list(
    query: PageRequest &
      IdPrefix & {
        readonly state?: PromptState;
        readonly threadId?: ThreadId;
        /** Pending and not answered yet. */
        readonly open?: boolean;
      },
  ): Promise<Page<Prompt>>;
  /** Accepts an answer: stored before this returns, delivered as soon as the runner can be reached. */
  answer(id: PromptId, answer: Answer, actor: Actor): Promise<Prompt>;
  cancel(id: PromptId, options: { readonly reason?: string; readonly actor?: Actor }): Promise<Prompt>;
  /** Answers every open prompt that equals this one, each on its own. */
  answerLike(id: PromptId, answer: Answer, actor: Actor): Promise<readonly Prompt[]>;
}

/** An event as subscribers get it; the same object for all of them. */
export interface FeedEvent {
  /** Null for live text, which has no place in the thread. */
  readonly seq: number | null;
  readonly type: string;
  /** The event as the API shows it: with `seq` and `runId`. */
  readonly json: string;
}

/** Tells of events once they are committed, in the order of their thread. */
export interface EventFeed {
  /** The listener must not wait; it gets every event that is committed from now on, and live text where asked. */
  subscribe(
    threadId: ThreadId,
    options: { readonly live: boolean },
    listener: (events: readonly FeedEvent[]) => void,
  ): Disposable;
}

/** The latest status of threads; a subscriber that missed some reads the latest. */
export interface StatusBus {
  subscribe(listener: (change: StatusChange) => void): Disposable;
}

export interface ProjectCode {
  inspect(path: string): Promise<ProjectCodeReport>;
  /** Approves exactly what has this digest; what changed since is refused. */
  approve(
    path: string,
    options: { readonly digest: string; readonly actor: Actor },
  ): Promise<ProjectCodeReport>;
}
