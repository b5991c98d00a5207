import type { AgentAccount, AgentCommand, AgentModel, AgentServer } from '../protocol/agent-report.js';
import type {
  Posted,
  ProjectCodeReport,
  RuntimeReport,
  SnoozeRequest,
  ThreadDiff,
  ThreadEdit,
  ThreadRequest,
} from '../protocol/api.js';
import type { BackupReport, BackupRequest } from '../protocol/backup.js';
import type { ChangedFileLines, ChangePage } from '../protocol/changes.js';
import type { ArchiveRequest, PruneReport, PruneRequest } from '../protocol/cleanup.js';
import type { Dispatch, DispatchEdit, DispatchRequest, DispatchState } from '../protocol/dispatch.js';
import type { Grant } from '../protocol/grant.js';
import type { DispatchId, PipelineId, PromptId, RuleId, ScheduleId, ThreadId } from '../protocol/id.js';
import type { UserItem } from '../protocol/item.js';
import type {
  ApplyRequest,
  Landing,
  MergeRequest,
  PullRequestRequest,
  WatchRequest,
} from '../protocol/landing.js';
import type { ObservedReport, ObservedSession } from '../protocol/observed.js';
import type { Outcome } from '../protocol/outcome.js';
import type { Pipeline, PipelineDetail, PipelineRequest } from '../protocol/pipeline.js';
import type { PermissionMode } from '../protocol/posture.js';
import type { Precedent } from '../protocol/precedent.js';
import type { AnswerRequest, Prompt, PromptState } from '../protocol/prompt.js';
import type { PushDevice, PushReport, PushRequest } from '../protocol/push.js';
import type {
  CommentEdit,
  CommentRequest,
  ReviewComment,
  SendCommentsRequest,
  SentComments,
} from '../protocol/review-comment.js';
import type { Rule, RuleRequest, RuleState, SwitchRuleRequest } from '../protocol/rule.js';
import type { ProcessIdentity } from '../protocol/run.js';
import type { Schedule, ScheduleRequest, ScheduleRun } from '../protocol/schedule.js';
import type { AdoptRequest, FoundSession, OpenedTerminal, TerminalRequest } from '../protocol/terminal.js';
import type { Thread } from '../protocol/thread.js';
import type { ImportRequest } from '../protocol/thread-file.js';
import type { ThreadItem } from '../protocol/thread-item.js';
import type { ThreadMatch } from '../protocol/thread-query.js';
import type { ToolOutputPart } from '../protocol/tool-output.js';
import type { Page, PageRequest } from '../store/page.js';
import type { Giver, IdPart, LabelFilter, ThreadFilter } from '../store/query.js';
import type { StatusTransition } from '../store/status-transition.js';
import type { StoredEvent } from '../store/stored-event.js';
import type { Subscription } from '../store/subscription.js';
import type { UsageKey, UsageTotal } from '../store/usage-total.js';
import type { EventFeed, StatusBus } from './feeds/news.js';
import type { ListPart } from './list-page.js';
import type { WorkerView } from './workers/worker-directory.js';
import type { WorkerWatch } from './workers/worker-watch.js';

/** Who asks, as it is recorded: `user:` and the name of the token. */
export type Actor = `user:${string}`;

/** What whoever gives work says of how it ends. */
export type WorkTerms = Pick<DispatchRequest, 'onSuccess'>;

/**
 * Everything that can be asked of a worker, by noun. HTTP is one face of it.
 * What is refused is thrown as a Failure; what is not there is `not_found`.
 */
export interface Host {
  readonly dispatches: Dispatches;
  readonly threads: Threads;
  readonly prompts: Prompts;
  readonly landings: Landings;
  readonly pullRequests: PullRequestWatches;
  readonly cleanup: Cleanup;
  readonly comments: Comments;
  readonly schedules: Schedules;
  readonly pipelines: Pipelines;
  readonly feed: EventFeed;
  readonly statuses: StatusBus;
  readonly grants: Grants;
  readonly rules: Rules;
  readonly push: PushNotices;
  readonly agents: Agents;
  readonly projectCode: ProjectCode;
  readonly terminals: Terminals;
  readonly observed: Observed;
  /** Tells which threads and prompts have changed, once it is committed; whoever is told reads them. */
  changes(): Subscription;
  usage(by: UsageKey, part?: ListPart): Promise<Page<UsageTotal>>;
  workers(part?: ListPart): Promise<Page<WorkerView>>;
  readonly watch: Pick<WorkerWatch, 'whyUnready' | 'look'>;
  /** Lets a worker, by its name or id, take no new work, or take work again. */
  drainWorker(which: string, isDraining: boolean): Promise<WorkerView>;
  runtimes(): Promise<readonly RuntimeReport[]>;
  /** Ends every agent properly, with its open prompts cancelled; the worker itself goes on. */
  stopAgents(actor: Actor): Promise<void>;
}

export interface Dispatches {
  /** Commits the work and returns; running it is the dispatcher's. The same key with the same request is the same dispatch. */
  submit(
    request: DispatchRequest,
    by: {
      readonly actor: Actor;
      readonly idempotencyKey?: string;
      /** The processes that may have asked, with those that started them; one of them may be a runner of ours. */
      readonly callers?: readonly ProcessIdentity[];
    },
  ): Promise<{ readonly dispatch: Dispatch; readonly isNew: boolean }>;
  get(id: DispatchId): Promise<Dispatch>;
  list(
    query: PageRequest &
      IdPart & {
        readonly state?: DispatchState;
        readonly result?: Outcome['result'];
        readonly labels?: readonly LabelFilter[];
        readonly threadId?: ThreadId;
        readonly parent?: DispatchId;
        readonly by?: Giver;
      },
  ): Promise<Page<Dispatch>>;
  /** The dispatch once it has ended, or as it stands when the signal fires. */
  ended(id: DispatchId, signal: AbortSignal): Promise<Dispatch>;
  cancel(id: DispatchId, actor: Actor): Promise<Dispatch>;
  /** Changes work that has not begun; afterwards it is a `conflict`. */
  edit(id: DispatchId, edit: DispatchEdit, actor: Actor): Promise<Dispatch>;
  /** New work with the same request, which remembers what it repeats. */
  retry(id: DispatchId, actor: Actor): Promise<Dispatch>;
}

/** Which threads a list shows. */
export interface ThreadListFilter extends Omit<ThreadFilter, 'archived'> {
  readonly archived?: 'only' | 'include';
}

export interface Threads {
  create(request: ThreadRequest, actor: Actor): Promise<Thread>;
  get(id: ThreadId): Promise<Thread>;
  /** Without a word about it, threads that are archived are left out; where a search is part of it, with where it found what. */
  list(
    query: PageRequest & ThreadListFilter,
  ): Promise<Page<Thread> & { readonly matches?: readonly ThreadMatch[] }>;
  /** Changes what a person calls it. */
  edit(id: ThreadId, edit: ThreadEdit, actor: Actor): Promise<Thread>;
  /** Puts it off until later, or takes that back. */
  snooze(id: ThreadId, request: SnoozeRequest, actor: Actor): Promise<Thread>;
  /** A part of the folded view: items that begin after an event, oldest first; `next` is where the next part begins. */
  items(
    id: ThreadId,
    part: { readonly after?: number; readonly limit?: number },
  ): Promise<{ readonly items: readonly ThreadItem[]; readonly next?: number }>;
  post(id: ThreadId, item: UserItem, actor: Actor, terms?: WorkTerms): Promise<Posted>;
  /** A part of the events, oldest first, ended by number or by size; `next` is where the next part begins. */
  events(
    id: ThreadId,
    part: { readonly after?: number; readonly limit?: number },
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly next?: number }>;
  /** A part of what was kept of a tool's output, beginning after so many characters. */
  toolOutput(
    id: ThreadId,
    toolUseId: string,
    part: { readonly after?: number; readonly limit?: number },
  ): Promise<ToolOutputPart>;
  statusLog(id: ThreadId, page: PageRequest): Promise<Page<StatusTransition>>;
  diff(id: ThreadId): Promise<ThreadDiff>;
  /** A part of what the agent changed, file by file. */
  changes(
    id: ThreadId,
    part: {
      readonly cursor?: string;
      readonly limit?: number;
      readonly hunks?: boolean;
      readonly path?: string;
    },
  ): Promise<ChangePage>;
  /** Lines of a file that the agent changed, as it was or as it is. */
  fileLines(
    id: ThreadId,
    lines: {
      readonly path: string;
      readonly side: 'old' | 'new';
      readonly from: number;
      readonly count: number;
    },
  ): Promise<ChangedFileLines>;
  /** Cancels the running turn; the agent stays. */
  interrupt(id: ThreadId, actor: Actor): Promise<Thread>;
  /** Ends the agent's process; the next message starts it again. */
  stop(id: ThreadId, actor: Actor): Promise<Thread>;
  setModel(id: ThreadId, model: string, actor: Actor): Promise<Thread>;
  setPermissionMode(id: ThreadId, mode: PermissionMode, actor: Actor): Promise<Thread>;
  setThinkingBudget(id: ThreadId, maxThinkingTokens: number, actor: Actor): Promise<Thread>;
  /** Whether a person is asked before the agent of a thread changes anything. */
  asksFirst(id: ThreadId): Promise<boolean>;
  rewind(id: ThreadId, checkpointUuid: string, actor: Actor): Promise<Thread>;
  /** Removes the worktree of a thread: only a clean one, unless forced. */
  removeWorktree(id: ThreadId, options: { readonly force: boolean; readonly actor: Actor }): Promise<Thread>;
}

/** How the work of threads becomes their user's. A landing that conflicts or is refused changes nothing. */
export interface Landings {
  /** Newest first. */
  list(threadId: ThreadId): Promise<readonly Landing[]>;
  merge(threadId: ThreadId, request: MergeRequest, actor: Actor): Promise<Landing>;
  /** Puts the changes, staged, into the checkout that the work came from, or takes them back. */
  apply(threadId: ThreadId, request: ApplyRequest, actor: Actor): Promise<Landing>;
  /** Pushes the branch and opens a pull request for it, where a program of the user's can. */
  openPullRequest(threadId: ThreadId, request: PullRequestRequest, actor: Actor): Promise<Landing>;
  /** Pushes the branch and nothing more. */
  push(threadId: ThreadId, request: { message?: string | undefined }, actor: Actor): Promise<Landing>;
  /** Removes worktree and branch; the work is kept under a ref of ours. */
  discard(threadId: ThreadId, actor: Actor): Promise<Landing>;
}

/** Brings failing checks and review comments of pull requests back to the agents that made them. */
export interface PullRequestWatches {
  /** Watches the pull request of a thread; the landing that comes back is begun for as long as it is watched. */
  watch(threadId: ThreadId, request: WatchRequest, actor: Actor): Promise<Landing>;
  unwatch(threadId: ThreadId, actor: Actor): Promise<Landing>;
}

/** How threads that nobody needs any more are put aside and removed. Work that is not landed is never lost unasked. */
export interface Cleanup {
  /** Puts a thread aside, or takes it back; an archived one can only be read. */
  archive(id: ThreadId, request: ArchiveRequest, actor: Actor): Promise<Thread>;
  /** Removes a thread with its worktree; what it was comes back. */
  remove(id: ThreadId, options: { readonly force: boolean; readonly actor: Actor }): Promise<Thread>;
  prune(request: PruneRequest, actor: Actor): Promise<PruneReport>;
  /** Takes in a thread from elsewhere, to be read. */
  import(request: ImportRequest, actor: Actor): Promise<Thread>;
  backUp(request: BackupRequest): Promise<BackupReport>;
}

/** Work that is given again and again. */
export interface Schedules {
  /** Refuses what could not work: times that never come, work that could not be taken in. */
  create(request: ScheduleRequest, actor: Actor): Promise<Schedule>;
  get(id: ScheduleId): Promise<Schedule>;
  list(part: PageRequest): Promise<Page<Schedule>>;
  /** What became of its times, newest first. */
  runs(id: ScheduleId, part: PageRequest): Promise<Page<ScheduleRun>>;
  pause(id: ScheduleId, actor: Actor): Promise<Schedule>;
  resume(id: ScheduleId): Promise<Schedule>;
  /** Gives its work now, whatever else of it is under way. */
  runNow(id: ScheduleId, actor: Actor): Promise<Dispatch>;
  /** What it was comes back; work that it gave stays. */
  remove(id: ScheduleId): Promise<Schedule>;
}

/** Work in phases, each after those that it needs. */
export interface Pipelines {
  /** Runs it; where a run of the same file in the same workspace has not ended, that one comes back. */
  create(
    request: PipelineRequest,
    actor: Actor,
  ): Promise<{ readonly pipeline: PipelineDetail; readonly isNew: boolean }>;
  get(id: PipelineId): Promise<PipelineDetail>;
  /** Newest first. */
  list(query: PageRequest & IdPart & { readonly open?: true }): Promise<Page<Pipeline>>;
  /** Ends what is under way, and begins nothing more. */
  cancel(id: PipelineId, actor: Actor): Promise<PipelineDetail>;
}

/** What people and agents say about lines of a thread's changes. */
export interface Comments {
  /** Oldest first. */
  list(
    threadId: ThreadId,
    part: PageRequest & { readonly state?: ReviewComment['state']; readonly file?: string },
  ): Promise<Page<ReviewComment>>;
  /** The same id again is the same comment. */
  add(threadId: ThreadId, request: CommentRequest, actor: Actor): Promise<ReviewComment>;
  /** Changes the words, for whoever wrote them, or resolves and reopens. */
  edit(threadId: ThreadId, id: string, edit: CommentEdit, actor: Actor): Promise<ReviewComment>;
  remove(threadId: ThreadId, id: string): Promise<ReviewComment>;
  /** Gives comments to the agent as one piece of work. */
  send(
    threadId: ThreadId,
    request: SendCommentsRequest,
    actor: Actor,
    terms?: WorkTerms,
  ): Promise<SentComments>;
}

export interface Prompts {
  get(id: PromptId): Promise<Prompt>;
  list(
    query: PageRequest &
      IdPart & {
        readonly state?: PromptState;
        readonly threadId?: ThreadId;
        /** Pending and not answered yet. */
        readonly open?: boolean;
      },
  ): Promise<Page<Prompt>>;
  /** Accepts an answer: stored before this returns, delivered as soon as the runner can be reached; later, if it is to be held back. */
  answer(id: PromptId, answer: AnswerRequest, actor: Actor): Promise<Prompt>;
  /** What persons have answered before to the same prompt or one like it, in the same project. */
  precedents(id: PromptId): Promise<readonly Precedent[]>;
  /** Takes back an answer that is held back, for whoever gave it; the prompt is open again. */
  undo(id: PromptId, actor: Actor): Promise<Prompt>;
  cancel(id: PromptId, options: { readonly reason?: string; readonly actor?: Actor }): Promise<Prompt>;
  /** Answers every open prompt that equals this one, each on its own; says how many, and shows the first of them. */
  answerLike(
    id: PromptId,
    answer: AnswerRequest,
    actor: Actor,
  ): Promise<{ readonly count: number; readonly prompts: readonly Prompt[] }>;
}

/** Threads in the runtimes' own terminal programs, and sessions that were started there. */
export interface Terminals {
  /** Gives a thread to a terminal and says what to start there; the worker keeps its hands off until that has ended. */
  open(id: ThreadId, request: TerminalRequest, actor: Actor): Promise<OpenedTerminal>;
  /** Notes which process the program is, before it reads. */
  begin(id: ThreadId, program: ProcessIdentity): Promise<Thread>;
  /** Takes the thread back, with what was said. */
  close(id: ThreadId): Promise<Thread>;
  /** Sessions that were started by hand, newest first. */
  sessions(query: { readonly workspace?: string }): Promise<readonly FoundSession[]>;
  adopt(request: AdoptRequest, actor: Actor): Promise<Thread>;
}

/** Agents that somebody started by hand, and what they do; seen, never steered. */
export interface Observed {
  list(): readonly ObservedSession[];
  /** Takes what an observer says; it counts until the observer falls silent. */
  report(id: string, report: ObservedReport): ObservedSession;
  forget(id: string): void;
  /** Tells all of them whenever something has changed. */
  subscribe(listener: (sessions: readonly ObservedSession[]) => void): Disposable;
}

/** What the running agents of threads say about themselves. */
export interface Agents {
  models(threadId: ThreadId): Promise<AgentModel[]>;
  commands(threadId: ThreadId): Promise<AgentCommand[]>;
  servers(threadId: ThreadId): Promise<AgentServer[]>;
  account(threadId: ThreadId): Promise<AgentAccount>;
}

export interface Grants {
  /** The approvals that hold for a whole thread. */
  list(threadId: ThreadId, part?: ListPart): Promise<Page<Grant>>;
  /** Takes one back, named by the prompt that it was given with; those that are left come back. */
  withdraw(threadId: ThreadId, promptId: PromptId, actor: Actor): Promise<Page<Grant>>;
}

/** What answers in place of a person; each is made by one, from answers. */
export interface Rules {
  /** A version of a rule, tried on what was answered before; it answers nothing until it is switched on. */
  create(request: RuleRequest, actor: Actor): Promise<Rule>;
  get(id: RuleId): Promise<Rule>;
  list(
    query: PageRequest & IdPart & { readonly name?: string; readonly state?: RuleState },
  ): Promise<Page<Rule>>;
  /** Refuses unless whoever asks knows how often it differs from what persons said. */
  switchOn(id: RuleId, request: SwitchRuleRequest, actor: Actor): Promise<Rule>;
  withdraw(id: RuleId, actor: Actor): Promise<Rule>;
}

/** Whose a device is, and by which token. */
export interface PushHolder {
  readonly actor: Actor;
  readonly digest: string;
}

/** Devices that are told when an agent asks. */
export interface PushNotices {
  report(): PushReport;
  /** The same browser again takes the place of what it said before. */
  add(request: PushRequest, holder: PushHolder): PushDevice;
  remove(id: string): PushDevice;
}

export interface ProjectCode {
  inspect(path: string): Promise<ProjectCodeReport>;
  /** Approves exactly what has this digest; what changed since is refused. */
  approve(
    path: string,
    options: { readonly digest: string; readonly actor: Actor },
  ): Promise<ProjectCodeReport>;
}
