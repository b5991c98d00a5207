import * as z from 'zod';
import { AgentAccount, AgentCommand, AgentModel, AgentServer } from '../protocol/agent-report.js';
import {
  Posted,
  type SnoozeRequest,
  StatusStep,
  ThreadDiff,
  type ThreadEdit,
  type ThreadRequest,
} from '../protocol/api.js';
import { ChangedFileLines, ChangePage } from '../protocol/changes.js';
import { type ArchiveRequest, PruneReport, type PruneRequest } from '../protocol/cleanup.js';
import { given } from '../protocol/given.js';
import { type Grant, GrantList } from '../protocol/grant.js';
import type { PromptId, ThreadId } from '../protocol/id.js';
import type { UserItem } from '../protocol/item.js';
import {
  type ApplyRequest,
  type BranchPushRequest,
  Landing,
  type MergeRequest,
  type PullRequestRequest,
  type WatchRequest,
} from '../protocol/landing.js';
import type { PermissionMode } from '../protocol/posture.js';
import { Thread } from '../protocol/thread.js';
import type { ImportRequest } from '../protocol/thread-file.js';
import { ThreadItem } from '../protocol/thread-item.js';
import { ThreadMatch, type WorkStanding } from '../protocol/thread-query.js';
import { ToolOutputPart } from '../protocol/tool-output.js';
import type { ApiConnection } from './connection.js';
import { everyPage, type ListQuery, mostPerPage, next, type PageQuery } from './page.js';
import { FollowedEvent } from './thread-event.js';

const ThreadListPage = z.object({ threads: z.array(Thread), matches: z.array(ThreadMatch).optional(), next });
export type ThreadListPage = z.infer<typeof ThreadListPage>;

const ItemPage = z.object({ items: z.array(ThreadItem), next: z.int().optional() });
const EventPage = z.object({ events: z.array(FollowedEvent), next: z.int().optional() });

const ModelList = z.object({ models: z.array(AgentModel) });
const CommandList = z.object({ commands: z.array(AgentCommand) });
const ServerList = z.object({ servers: z.array(AgentServer) });

const LandingList = z.object({ landings: z.array(Landing) });

const StatusLog = z.object({ transitions: z.array(StatusStep), next });

/** Which threads; every field that is given must hold. */
export interface ThreadQuery extends ListQuery {
  readonly name?: string;
  readonly runtime?: string;
  /** The folder that the work was asked for in, or one above it. */
  readonly workspace?: string;
  /** Where the newest work stands. */
  readonly state?: WorkStanding;
  /** Labels of its work, as key or key=value. */
  readonly label?: readonly string[];
  /** Words that it has; the page says where. */
  readonly search?: string;
  /** Archived ones are left out otherwise. */
  readonly archived?: 'only' | 'include';
}

/** A part of a thread: what follows an event, so many at most. */
export interface EventRange {
  readonly after?: number;
  readonly limit?: number;
}

/** Which part of the changes of a thread. */
export interface ChangeQuery {
  readonly cursor?: string;
  readonly limit?: number;
  readonly hunks?: boolean;
  readonly path?: string;
}

/** Which lines of a changed file. */
export interface FileLinesQuery {
  readonly path: string;
  readonly side?: 'old' | 'new';
  readonly from?: number;
  readonly count?: number;
}

/** Conversations. */
export class ThreadClient {
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  /** A thread without work, or one that adopts a session of the runtime's. */
  create(request: z.input<typeof ThreadRequest>): Promise<Thread> {
    return this.#connection.call(Thread, '/threads', { method: 'POST', body: request });
  }

  get(id: ThreadId): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}`);
  }

  /** Changes what a person calls it; null takes the name away. */
  edit(id: ThreadId, edit: ThreadEdit): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}`, { method: 'PATCH', body: edit });
  }

  list(query: ThreadQuery = {}): Promise<ThreadListPage> {
    return this.#connection.call(ThreadListPage, '/threads', { query: { ...query } });
  }

  async *all(query: Omit<ThreadQuery, keyof PageQuery> = {}): AsyncGenerator<Thread> {
    for await (const page of everyPage((part) => this.list({ ...query, ...part }))) yield* page.threads;
  }

  /** A part of what a person sees in the thread. */
  items(id: ThreadId, part: EventRange = {}): Promise<z.infer<typeof ItemPage>> {
    return this.#connection.call(ItemPage, `/threads/${id}/items`, { query: { ...part } });
  }

  /** A message, or the answer to the thread's active prompt. */
  post(id: ThreadId, item: UserItem): Promise<Posted> {
    return this.#connection.call(Posted, `/threads/${id}/items`, { method: 'POST', body: item });
  }

  /** A part of the stored events, ended by number or by size; `next` is the `after` of the next part. */
  events(id: ThreadId, part: EventRange = {}): Promise<z.infer<typeof EventPage>> {
    return this.#connection.call(EventPage, `/threads/${id}/events`, { query: { ...part } });
  }

  /** The stored events from one number on, up to another where it is given; `Client.events` follows them. */
  async *storedEvents(
    id: ThreadId,
    range: { readonly after?: number; readonly upTo?: number } = {},
  ): AsyncGenerator<FollowedEvent> {
    const { upTo = Number.POSITIVE_INFINITY } = range;
    let after: number | undefined = range.after ?? 0;
    while (after !== undefined && after < upTo) {
      const limit = Math.min(mostPerPage, upTo - after);
      const page: z.infer<typeof EventPage> = await this.events(id, { after, limit });
      yield* page.events;
      after = page.next;
    }
  }

  /** A part of what a tool said, where its event has `outputKept`; beginning after so many characters. */
  toolOutput(
    id: ThreadId,
    toolUseId: string,
    part: { readonly after?: number; readonly limit?: number } = {},
  ): Promise<ToolOutputPart> {
    const path = `/threads/${id}/tool-outputs/${encodeURIComponent(toolUseId)}`;
    return this.#connection.call(ToolOutputPart, path, { query: { ...part } });
  }

  /** All of what was kept, part by part. */
  async *toolOutputParts(id: ThreadId, toolUseId: string): AsyncGenerator<string> {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const part: ToolOutputPart = await this.toolOutput(id, toolUseId, { after });
      yield part.text;
      after = part.next;
    }
  }

  /** A part of the status timeline. */
  async statusSteps(id: ThreadId, part: PageQuery = {}): Promise<StatusStep[]> {
    const { transitions } = await this.#connection.call(StatusLog, `/threads/${id}/status-log`, {
      query: { ...part },
    });
    return transitions;
  }

  /** The whole status timeline. */
  async *statusLog(id: ThreadId): AsyncGenerator<StatusStep> {
    const pages = everyPage((part) =>
      this.#connection.call(StatusLog, `/threads/${id}/status-log`, { query: { ...part } }),
    );
    for await (const page of pages) yield* page.transitions;
  }

  diff(id: ThreadId): Promise<ThreadDiff> {
    return this.#connection.call(ThreadDiff, `/threads/${id}/diff`);
  }

  /** A part of what the agent changed, file by file. */
  changes(id: ThreadId, part: ChangeQuery = {}): Promise<ChangePage> {
    return this.#connection.call(ChangePage, `/threads/${id}/changes`, { query: { ...part } });
  }

  /** Lines of a file that the agent changed, as it was or as it is. */
  fileLines(id: ThreadId, lines: FileLinesQuery): Promise<ChangedFileLines> {
    return this.#connection.call(ChangedFileLines, `/threads/${id}/changes/lines`, { query: { ...lines } });
  }

  /** Every part of what the agent changed. */
  async *allChanges(id: ThreadId, part: Omit<ChangeQuery, 'cursor'> = {}): AsyncGenerator<ChangePage> {
    let cursor: string | undefined;
    do {
      const page: ChangePage = await this.changes(id, { ...part, ...given({ cursor }) });
      yield page;
      cursor = page.next;
    } while (cursor !== undefined);
  }

  /** What was merged, applied and discarded, newest first. */
  async landings(id: ThreadId): Promise<Landing[]> {
    return (await this.#connection.call(LandingList, `/threads/${id}/landings`)).landings;
  }

  /** Merges the work into a branch; conflicts are a state of what comes back, and change nothing. */
  merge(id: ThreadId, request: z.input<typeof MergeRequest> = {}): Promise<Landing> {
    return this.#connection.call(Landing, `/threads/${id}/merge`, { method: 'POST', body: request });
  }

  /** Puts the changes, staged, into the checkout that the work came from, or takes them back. */
  apply(id: ThreadId, request: ApplyRequest = {}): Promise<Landing> {
    return this.#connection.call(Landing, `/threads/${id}/apply`, { method: 'POST', body: request });
  }

  /** Pushes the branch and nothing more. */
  push(id: ThreadId, request: BranchPushRequest = {}): Promise<Landing> {
    return this.#connection.call(Landing, `/threads/${id}/push`, { method: 'POST', body: request });
  }

  /** Pushes the branch and opens a pull request for it. */
  openPullRequest(id: ThreadId, request: PullRequestRequest = {}): Promise<Landing> {
    return this.#connection.call(Landing, `/threads/${id}/pull-request`, { method: 'POST', body: request });
  }

  /** Brings failing checks and review comments of the pull request back to the agent. */
  watchPullRequest(id: ThreadId, request: WatchRequest = {}): Promise<Landing> {
    return this.#connection.call(Landing, `/threads/${id}/watch`, { method: 'POST', body: request });
  }

  unwatchPullRequest(id: ThreadId): Promise<Landing> {
    return this.#connection.call(Landing, `/threads/${id}/watch`, { method: 'DELETE' });
  }

  /** Removes worktree and branch; the work is kept under a ref of its own. */
  discard(id: ThreadId): Promise<Landing> {
    return this.#connection.call(Landing, `/threads/${id}/discard`, { method: 'POST' });
  }

  /** Puts a thread aside, or takes it back. */
  archive(id: ThreadId, request: ArchiveRequest = {}): Promise<Thread> {
    return this.#change(id, 'archive', request);
  }

  /** Puts a thread off until later, or with null takes that back. */
  snooze(id: ThreadId, request: SnoozeRequest): Promise<Thread> {
    return this.#change(id, 'snooze', request);
  }

  /** Removes a thread with its worktree; with `force` also work that is not landed. What it was comes back. */
  remove(id: ThreadId, options: { readonly force?: boolean } = {}): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}`, { method: 'DELETE', query: options });
  }

  /** Takes in a thread from elsewhere, to be read. */
  import(request: ImportRequest): Promise<Thread> {
    return this.#connection.call(Thread, '/threads/import', { method: 'POST', body: request });
  }

  /** Removes old threads without losing work. */
  prune(request: z.input<typeof PruneRequest> = {}): Promise<PruneReport> {
    return this.#connection.call(PruneReport, '/prune', { method: 'POST', body: request });
  }

  /** Cancels the running turn; the agent stays. */
  interrupt(id: ThreadId): Promise<Thread> {
    return this.#change(id, 'interrupt');
  }

  /** Ends the agent's process; the next message starts it again. */
  stop(id: ThreadId): Promise<Thread> {
    return this.#change(id, 'stop');
  }

  setModel(id: ThreadId, model: string): Promise<Thread> {
    return this.#change(id, 'model', { model });
  }

  setPermissionMode(id: ThreadId, permissionMode: PermissionMode): Promise<Thread> {
    return this.#change(id, 'permission-mode', { permissionMode });
  }

  /** How many tokens the agent may think; 0 turns thinking off. */
  setThinkingBudget(id: ThreadId, maxThinkingTokens: number): Promise<Thread> {
    return this.#change(id, 'thinking-budget', { maxThinkingTokens });
  }

  /** The models that the running agent can use. */
  async models(id: ThreadId): Promise<AgentModel[]> {
    return (await this.#connection.call(ModelList, `/threads/${id}/models`)).models;
  }

  /** The commands that the running agent takes in a message. */
  async commands(id: ThreadId): Promise<AgentCommand[]> {
    return (await this.#connection.call(CommandList, `/threads/${id}/commands`)).commands;
  }

  /** The MCP servers of the running agent. */
  async mcpServers(id: ThreadId): Promise<AgentServer[]> {
    return (await this.#connection.call(ServerList, `/threads/${id}/mcp-servers`)).servers;
  }

  /** Which account the running agent uses. */
  account(id: ThreadId): Promise<AgentAccount> {
    return this.#connection.call(AgentAccount, `/threads/${id}/account`);
  }

  rewind(id: ThreadId, checkpointUuid: string): Promise<Thread> {
    return this.#change(id, 'rewind', { checkpointUuid });
  }

  /** Removes the worktree of a thread: only a clean one, unless forced. */
  removeWorktree(id: ThreadId, options: { readonly force?: boolean } = {}): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}/worktree`, { method: 'DELETE', query: options });
  }

  /** The actions that were approved for the whole thread. */
  async grants(id: ThreadId): Promise<Grant[]> {
    const grants: Grant[] = [];
    const path = `/threads/${id}/grants`;
    const pages = everyPage((query) => this.#connection.call(GrantList, path, { query: { ...query } }));
    for await (const page of pages) grants.push(...page.grants);
    return grants;
  }

  /** Withdraws an approval for the whole thread; the agent has to ask again. */
  async withdrawGrant(id: ThreadId, promptId: PromptId): Promise<Grant[]> {
    const path = `/threads/${id}/grants/${promptId}`;
    await this.#connection.call(GrantList, path, { method: 'DELETE' });
    return await this.grants(id);
  }

  #change(id: ThreadId, verb: string, body: object = {}): Promise<Thread> {
    return this.#connection.call(Thread, `/threads/${id}/${verb}`, { method: 'POST', body });
  }
}
