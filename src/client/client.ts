import * as z from 'zod';
import {
  ConsoleSettings,
  Health,
  LoginLink,
  ProjectCodeReport,
  RuntimeReport,
  SignedIn,
  StatusChange,
  TokenIdentity,
  UsageReport,
  WorkerReport,
} from '../protocol/api.js';
import { BackupReport, type BackupRequest } from '../protocol/backup.js';
import type { ThreadId } from '../protocol/id.js';
import { CommentClient } from './comments.js';
import { ApiConnection, type ClientOptions } from './connection.js';
import { DispatchClient } from './dispatches.js';
import { ObservedClient } from './observed.js';
import { OverviewNews } from './overview-news.js';
import { everyPage, next } from './page.js';
import { PipelineClient } from './pipelines.js';
import { PromptClient } from './prompts.js';
import { PushClient } from './push.js';
import { reconnecting, type StreamOptions } from './reconnect.js';
import { RuleClient } from './rules.js';
import { ScheduleClient } from './schedules.js';
import { TerminalClient } from './terminals.js';
import { FollowedEvent } from './thread-event.js';
import { ThreadClient } from './threads.js';

/** Where to begin in a thread, and whether text is wanted while it is being written. */
export interface EventOptions extends StreamOptions {
  readonly after?: number;
  readonly live?: boolean;
}

/** A worker, as its HTTP API shows it. Runs in browsers and in Node. */
export class Client {
  readonly dispatches: DispatchClient;
  readonly threads: ThreadClient;
  readonly prompts: PromptClient;
  readonly comments: CommentClient;
  readonly terminals: TerminalClient;
  readonly schedules: ScheduleClient;
  readonly pipelines: PipelineClient;
  readonly rules: RuleClient;
  readonly push: PushClient;
  readonly observed: ObservedClient;
  readonly #connection: ApiConnection;

  constructor(options: ClientOptions) {
    this.#connection = new ApiConnection(options);
    this.dispatches = new DispatchClient(this.#connection);
    this.threads = new ThreadClient(this.#connection);
    this.prompts = new PromptClient(this.#connection);
    this.comments = new CommentClient(this.#connection);
    this.terminals = new TerminalClient(this.#connection);
    this.schedules = new ScheduleClient(this.#connection);
    this.pipelines = new PipelineClient(this.#connection);
    this.push = new PushClient(this.#connection);
    this.rules = new RuleClient(this.#connection);
    this.observed = new ObservedClient(this.#connection);
  }

  /** The events of a thread as they happen, each exactly once and in order, over broken connections and restarts. */
  async *events(
    threadId: ThreadId,
    { after = 0, live = false, ...stream }: EventOptions = {},
  ): AsyncGenerator<FollowedEvent> {
    let last = after;
    const open = () =>
      this.#connection.open(`/threads/${threadId}/events`, {
        query: { after: last, ...(live && { live: 1 }) },
        headers: { accept: 'text/event-stream', ...(last > 0 && { 'last-event-id': String(last) }) },
        ...(stream.signal && { signal: stream.signal }),
      });
    for await (const message of reconnecting(open, stream)) {
      const event = FollowedEvent.parse(JSON.parse(message.data));
      if (event.seq !== null) {
        if (event.seq <= last) continue;
        last = event.seq;
      }
      yield event;
    }
  }

  /** The status of every thread and then each change; after a break the present state comes again. */
  async *statuses(stream: StreamOptions = {}): AsyncGenerator<StatusChange> {
    const open = () =>
      this.#connection.open('/status', {
        headers: { accept: 'text/event-stream' },
        ...(stream.signal && { signal: stream.signal }),
      });
    for await (const { event, data } of reconnecting(open, stream))
      if (event === 'status') yield StatusChange.parse(JSON.parse(data));
  }

  /** Every thread and open prompt, then each that has changed; after a break everything comes again. */
  async *overview(stream: StreamOptions = {}): AsyncGenerator<OverviewNews> {
    const open = () =>
      this.#connection.open('/overview', {
        headers: { accept: 'text/event-stream' },
        ...(stream.signal && { signal: stream.signal }),
      });
    for await (const { event, data } of reconnecting(open, stream)) {
      const news = OverviewNews.safeParse({ event, data: JSON.parse(data) }).data;
      if (news) yield news;
    }
  }

  /** The status of every thread now. */
  async status(): Promise<StatusChange[]> {
    const body = z.object({ statuses: z.array(StatusChange), next });
    const all: StatusChange[] = [];
    const pages = everyPage((part) => this.#connection.call(body, '/status', { query: { ...part } }));
    for await (const page of pages) all.push(...page.statuses);
    return all;
  }

  async usage(by: 'day' | 'runtime' | 'thread' | 'status'): Promise<UsageReport[]> {
    const body = z.object({ usage: z.array(UsageReport), next });
    const all: UsageReport[] = [];
    const pages = everyPage((part) => this.#connection.call(body, '/usage', { query: { by, ...part } }));
    for await (const page of pages) all.push(...page.usage);
    return all;
  }

  async workers(): Promise<WorkerReport[]> {
    const body = z.object({ workers: z.array(WorkerReport), next });
    const all: WorkerReport[] = [];
    const pages = everyPage((part) => this.#connection.call(body, '/workers', { query: { ...part } }));
    for await (const page of pages) all.push(...page.workers);
    return all;
  }

  /** Lets a worker, by its name or id, take no new work, or take work again. */
  async drainWorker(worker: string, draining: boolean): Promise<WorkerReport> {
    return await this.#connection.call(WorkerReport, `/workers/${encodeURIComponent(worker)}/draining`, {
      method: 'PUT',
      body: { draining },
    });
  }

  /** Writes the store into a new file on the machine of the worker, while work goes on. */
  async backUp(request: BackupRequest): Promise<BackupReport> {
    return await this.#connection.call(BackupReport, '/backup', { method: 'POST', body: request });
  }

  async runtimes(): Promise<RuntimeReport[]> {
    return (await this.#connection.call(z.object({ runtimes: z.array(RuntimeReport) }), '/runtimes'))
      .runtimes;
  }

  /** In whose name this client answers, and for how long answers of the web console can be undone. */
  consoleSettings(): Promise<ConsoleSettings> {
    return this.#connection.call(ConsoleSettings, '/console-settings');
  }

  /** Whose token this client has, and what it may do. */
  identity(): Promise<TokenIdentity> {
    return this.#connection.call(TokenIdentity, '/identity');
  }

  /** Whether a worker is there; needs no token. */
  health(options: { readonly signal?: AbortSignal } = {}): Promise<Health> {
    return this.#connection.call(Health, '/healthz', options);
  }

  /** The files of a project that may start programs, and whether they were approved as they are. */
  projectCode(path: string): Promise<ProjectCodeReport> {
    return this.#connection.call(ProjectCodeReport, '/project-code', { query: { path } });
  }

  /** Approves exactly what has this digest. */
  approveProjectCode(path: string, digest: string): Promise<ProjectCodeReport> {
    const call = { method: 'POST', body: { path, digest } } as const;
    return this.#connection.call(ProjectCodeReport, '/project-code/approve', call);
  }

  /** A link that signs a browser in, once. */
  async loginLink(): Promise<string> {
    return (await this.loginLinks()).url;
  }

  /** The same, with the address that other machines know, where the worker was told one. */
  loginLinks(): Promise<LoginLink> {
    return this.#connection.call(LoginLink, '/login-links', { method: 'POST' });
  }

  /** Signs a browser in with the code of a login link; the secret of the answer is its token from then on. */
  login(code: string): Promise<SignedIn> {
    return this.#connection.call(SignedIn, '/login', { method: 'POST', body: { code } });
  }

  /** Ends the session of this browser. */
  async logout(): Promise<void> {
    await this.#connection.open('/logout', { method: 'POST' });
  }

  /** Asks the worker to end; agents go on, unless they are to be stopped too. */
  async shutdown(options: { readonly stopAgents?: boolean } = {}): Promise<void> {
    await this.#connection.open('/shutdown', { method: 'POST', body: options });
  }
}
