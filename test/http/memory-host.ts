import { reportedSession } from '../../src/domain/status/observed-session.js';
import { feedEvent } from '../../src/host/feeds/live-feed.js';
import type { FeedEvent } from '../../src/host/feeds/news.js';
import type { Actor, Host, WorkTerms } from '../../src/host/host.js';
import type { StatusChange } from '../../src/protocol/api.js';
import type { Dispatch } from '../../src/protocol/dispatch.js';
import { Failure } from '../../src/protocol/failure.js';
import { given } from '../../src/protocol/given.js';
import { type DispatchId, newId, type PromptId, type ThreadId } from '../../src/protocol/id.js';
import type { UserItem } from '../../src/protocol/item.js';
import type { Landing } from '../../src/protocol/landing.js';
import type { ObservedSession } from '../../src/protocol/observed.js';
import type { PipelineDetail } from '../../src/protocol/pipeline.js';
import type { Prompt } from '../../src/protocol/prompt.js';
import type { ReviewComment } from '../../src/protocol/review-comment.js';
import type { Schedule } from '../../src/protocol/schedule.js';
import type { Thread } from '../../src/protocol/thread.js';
import { outputPart } from '../../src/protocol/tool-output.js';
import { Subscription } from '../../src/store/subscription.js';
import { newRule } from '../contract/store/rules.js';

function aComment(threadId: ThreadId, id: string): ReviewComment {
  const place = { file: 'a.ts', line: 1, side: 'new' } as const;
  return { id, threadId, ...place, body: 'Why?', author: 'user:owner', state: 'open', createdAt };
}

type StoredEvent = Awaited<ReturnType<Host['threads']['events']>>['events'][number];

const createdAt = '2026-01-02T03:04:05.000Z';
let time = Date.parse(createdAt);
const ids = { now: () => time++, randomBytes: (length: number) => new Uint8Array(length) };

const aSchedule: Schedule = {
  id: newId('schedule', ids),
  name: 'nightly',
  when: 'every day at 9',
  cron: '0 9 * * *',
  timeZone: 'UTC',
  missed: 'once',
  overlap: 'skip',
  jitterSeconds: 0,
  unanswered: 'wait',
  state: 'active',
  work: { text: 'Do it', workspace: { path: '/work' } },
  nextAt: createdAt,
  actor: 'user:owner',
  createdAt,
};

const aPipeline: PipelineDetail = {
  id: newId('pipeline', ids),
  name: 'idea',
  threadId: newId('thread', ids),
  workspace: { path: '/work' },
  state: 'running',
  actor: 'user:owner',
  createdAt,
  source: 'phases: { a: { run: x } }',
  phases: [{ key: 'a', phase: 'a', title: 'a', kind: 'command', needs: [], state: 'waiting', tries: [] }],
};

/** A host that keeps everything in memory and does no work: what HTTP asks of it is written down in `asked`. */
export class MemoryHost implements Host {
  readonly asked: unknown[][] = [];
  readonly threadsById = new Map<ThreadId, Thread>();
  readonly promptsById = new Map<PromptId, Prompt>();
  readonly toolOutputs = new Map<string, string>();
  readonly dispatchesById = new Map<DispatchId, Dispatch>();
  readonly #byKey = new Map<string, { readonly body: string; readonly dispatch: Dispatch }>();
  readonly #events = new Map<ThreadId, StoredEvent[]>();
  readonly #listeners = new Map<
    ThreadId,
    Set<{ live: boolean; tell: (events: readonly FeedEvent[]) => void }>
  >();
  readonly #statusListeners = new Set<(change: StatusChange) => void>();
  readonly #subscriptions = new Set<Subscription>();
  readonly #endings = new Map<DispatchId, () => void>();
  /** Called around every read of events, to move the thread meanwhile. */
  beforeRead: () => void = () => {};
  afterRead: () => void = () => {};

  addThread(fields: Partial<Thread> = {}): Thread {
    const thread: Thread = {
      id: newId('thread', ids),
      title: 'A thread',
      runtime: 'claude',
      workspace: { path: '/work' },
      status: { state: 'idle', why: 'the turn ended', source: 'runner', confidence: 'authoritative' },
      lastSeq: 0,
      usage: { inputTokens: 0, outputTokens: 0, costUsd: null },
      createdAt,
      ...fields,
    };
    this.threadsById.set(thread.id, thread);
    return thread;
  }

  addPrompt(threadId: ThreadId): Prompt {
    const prompt: Prompt = {
      id: newId('prompt', ids),
      threadId,
      kind: 'text',
      state: 'pending',
      active: true,
      questions: [{ question: 'Where to?', multiSelect: false, options: [] }],
      fingerprint: 'f',
      onUnanswered: 'wait',
      createdAt,
    };
    this.promptsById.set(prompt.id, prompt);
    return prompt;
  }

  addDispatch(threadId: ThreadId, fields: Partial<Dispatch> = {}): Dispatch {
    const dispatch = { ...newDispatch(threadId, 'Do it'), ...fields };
    this.dispatchesById.set(dispatch.id, dispatch);
    return dispatch;
  }

  end(id: DispatchId): void {
    this.dispatchesById.set(id, { ...found(this.dispatchesById, id), state: 'ended' });
    this.#endings.get(id)?.();
  }

  /** Commits events and tells of them. */
  append(threadId: ThreadId, texts: readonly string[]): void {
    const events = this.#events.get(threadId) ?? [];
    this.#events.set(threadId, events);
    const added = texts.map((text, index) => ({
      threadId,
      seq: events.length + index + 1,
      runId: null,
      runSeq: null,
      type: 'notice',
      timestamp: createdAt,
      json: JSON.stringify({ type: 'notice', timestamp: createdAt, message: text }),
    }));
    events.push(...added);
    this.#tell(threadId, added.map(feedEvent), false);
  }

  say(threadId: ThreadId, text: string): void {
    this.#tell(threadId, [{ seq: null, type: 'text_delta', json: JSON.stringify({ content: text }) }], true);
  }

  changeStatus(threadId: ThreadId, status: Thread['status']): void {
    this.threadsById.set(threadId, { ...found(this.threadsById, threadId), status });
    for (const listener of this.#statusListeners) listener({ threadId, status });
    for (const subscription of this.#subscriptions) subscription.publish({ topic: 'status', threadId });
  }

  get followers(): number {
    const direct = this.#statusListeners.size + this.#subscriptions.size;
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, direct);
  }

  /** Calls that wait for the end of a dispatch. */
  get waiting(): number {
    return this.#endings.size;
  }

  #tell(threadId: ThreadId, events: readonly FeedEvent[], isLive: boolean): void {
    for (const { live, tell } of this.#listeners.get(threadId) ?? []) if (live || !isLive) tell(events);
  }

  readonly dispatches: Host['dispatches'] = {
    submit: async (request, by) => {
      this.asked.push(['submit', request, by]);
      const body = JSON.stringify(request);
      const before = by.idempotencyKey === undefined ? undefined : this.#byKey.get(by.idempotencyKey);
      if (before && before.body !== body) throw new Failure('conflict', 'This key was used for other work.');
      if (before) return { dispatch: before.dispatch, isNew: false };
      const { text } = request;
      const dispatch = this.addDispatch(request.thread ?? this.addThread().id, { text, actor: by.actor });
      if (by.idempotencyKey !== undefined) this.#byKey.set(by.idempotencyKey, { body, dispatch });
      return { dispatch, isNew: true };
    },
    get: async (id) => found(this.dispatchesById, id),
    list: async (query) => {
      this.asked.push(['dispatches', query]);
      const rows = [...this.dispatchesById.values()];
      const { threadId } = query;
      return {
        rows: rows.filter((row) => threadId === undefined || row.threadId === threadId),
        next: 'more',
      };
    },
    ended: async (id, signal) => {
      if (found(this.dispatchesById, id).state !== 'ended') {
        await new Promise<void>((resolve) => {
          this.#endings.set(id, resolve);
          signal.addEventListener('abort', () => resolve());
        });
      }
      return found(this.dispatchesById, id);
    },
    cancel: async (id, actor) => {
      this.asked.push(['cancel', id, actor]);
      return found(this.dispatchesById, id);
    },
    edit: async (id, edit, actor) => {
      this.asked.push(['edit', id, edit, actor]);
      const dispatch = found(this.dispatchesById, id);
      if (dispatch.state !== 'queued') throw new Failure('conflict', `${id} has begun.`);
      return this.addDispatch(dispatch.threadId, { ...dispatch, ...edit });
    },
    retry: async (id) => this.addDispatch(found(this.dispatchesById, id).threadId, { retryOf: id }),
  };

  /** Threads whose agents work without asking. */
  readonly unasked = new Set<ThreadId>();

  readonly landings: Host['landings'] = {
    list: async () => [],
    merge: async (threadId, request, actor) => this.#landed(threadId, 'merge', [request, actor]),
    apply: async (threadId, request, actor) => this.#landed(threadId, 'apply', [request, actor]),
    openPullRequest: async (threadId, request, actor) => this.#landed(threadId, 'pr', [request, actor]),
    push: async (threadId, request, actor) => this.#landed(threadId, 'push', [request, actor]),
    discard: async (threadId, actor) => this.#landed(threadId, 'discard', [actor]),
  };

  readonly pullRequests: Host['pullRequests'] = {
    watch: async (threadId, request, actor) => this.#landed(threadId, 'watch', [request, actor]),
    unwatch: async (threadId, actor) => this.#landed(threadId, 'watch', [actor]),
  };

  readonly cleanup: Host['cleanup'] = {
    archive: async (id, request, actor) => this.#changed('archive', id, request, actor),
    remove: async (id, options) => this.#changed('remove', id, options),
    import: async (request, actor) => {
      this.asked.push(['import', request, actor]);
      return this.addThread({ title: request.title });
    },
    backUp: async (request) => {
      this.asked.push(['backUp', request]);
      return { file: request.file, bytes: 4096, at: '2026-01-01T00:00:00.000Z', store: '/home/store.db' };
    },
    prune: async (request, actor) => {
      this.asked.push(['prune', request, actor]);
      return {
        dryRun: request.dryRun,
        threads: [],
        spared: [],
        moved: [],
        notifications: 0,
        repositories: [],
        isMore: false,
      };
    },
  };

  readonly schedules: Host['schedules'] = {
    create: async (request, actor) => {
      this.asked.push(['createSchedule', request, actor]);
      return aSchedule;
    },
    get: async (id) => {
      this.asked.push(['schedule', id]);
      return aSchedule;
    },
    list: async (part) => {
      this.asked.push(['schedules', part]);
      return { rows: [aSchedule] };
    },
    runs: async (id, part) => {
      this.asked.push(['scheduleRuns', id, part]);
      return { rows: [] };
    },
    pause: async (id, actor) => {
      this.asked.push(['pauseSchedule', id, actor]);
      return aSchedule;
    },
    resume: async (id) => {
      this.asked.push(['resumeSchedule', id]);
      return aSchedule;
    },
    runNow: async (id, actor) => {
      this.asked.push(['runSchedule', id, actor]);
      return this.addDispatch(this.addThread().id);
    },
    remove: async (id) => {
      this.asked.push(['removeSchedule', id]);
      return aSchedule;
    },
  };

  readonly pipelines: Host['pipelines'] = {
    create: async (request, actor) => {
      this.asked.push(['runPipeline', request, actor]);
      return { pipeline: aPipeline, isNew: request.again !== true };
    },
    get: async (id) => {
      this.asked.push(['pipeline', id]);
      return aPipeline;
    },
    list: async (query) => {
      this.asked.push(['pipelines', query]);
      return { rows: [aPipeline] };
    },
    cancel: async (id, actor) => {
      this.asked.push(['cancelPipeline', id, actor]);
      return aPipeline;
    },
  };

  readonly push: Host['push'] = {
    report: () => ({ publicKey: 'key', devices: [] }),
    add: ({ detail = 'title', device = '', endpoint }, { actor, digest }) => {
      this.asked.push(['addPushDevice', endpoint, actor, digest]);
      return {
        id: '0123456789abcdef',
        device,
        service: new URL(endpoint).hostname,
        detail,
        actor,
        createdAt,
      };
    },
    remove: (id) => {
      this.asked.push(['removePushDevice', id]);
      return { id, device: '', service: '', detail: 'title', actor: 'user:owner', createdAt };
    },
  };

  readonly rules: Host['rules'] = {
    create: async (request, actor) => {
      this.asked.push(['createRule', request, actor]);
      return newRule();
    },
    get: async (id) => {
      this.asked.push(['rule', id]);
      return newRule();
    },
    list: async (query) => {
      this.asked.push(['rules', query]);
      return { rows: [newRule()] };
    },
    switchOn: async (id, request, actor) => {
      this.asked.push(['switchRuleOn', id, request, actor]);
      return newRule();
    },
    withdraw: async (id, actor) => {
      this.asked.push(['withdrawRule', id, actor]);
      return newRule();
    },
  };

  readonly comments: Host['comments'] = {
    list: async (threadId, part) => {
      this.asked.push(['comments', threadId, part]);
      return { rows: [] };
    },
    add: async (threadId, request, actor) => {
      this.asked.push(['addComment', threadId, request, actor]);
      const { id = '0b1f6a52-9f5b-4b64-8f0e-0a7c2e1d3c4b' } = request;
      return { ...request, id, threadId, author: actor, state: 'open', createdAt };
    },
    edit: async (threadId, id, edit, actor) => {
      this.asked.push(['editComment', threadId, id, edit, actor]);
      return { ...aComment(threadId, id), ...given(edit) };
    },
    remove: async (threadId, id) => {
      this.asked.push(['removeComment', threadId, id]);
      return aComment(threadId, id);
    },
    send: async (threadId, request, actor, terms = {}) => {
      this.asked.push(['sendComments', threadId, request, actor, ...said(terms)]);
      return { dispatchId: this.addDispatch(threadId).id, sent: [] };
    },
  };

  #landed(threadId: ThreadId, kind: Landing['kind'], given: unknown[]): Landing {
    this.asked.push([kind, threadId, ...given]);
    return {
      id: 'landing',
      threadId,
      kind,
      state: 'done',
      sentence: 'It is yours.',
      actor: 'user:owner',
      createdAt: '2026-01-02T03:04:05.000Z',
    };
  }

  readonly threads: Host['threads'] = {
    create: async ({ runtime, workspace }) =>
      this.addThread({
        runtime,
        workspace: 'repo' in workspace ? { path: workspace.repo, ...workspace } : workspace,
      }),
    get: async (id) => found(this.threadsById, id),
    list: async (query) => {
      this.asked.push(['threads', query]);
      return { rows: [...this.threadsById.values()] };
    },
    edit: async (id, edit, actor) => this.#changed('edit', id, edit, actor),
    snooze: async (id, request, actor) => this.#changed('snooze', id, request, actor),
    items: async () => ({ items: [] }),
    post: async (id, item: UserItem, actor: Actor, terms = {}) => {
      this.asked.push(['post', id, item, actor, ...said(terms)]);
      const named = item.metadata?.prompt?.prompt_id;
      if (named !== undefined && found(this.promptsById, named).state !== 'pending') {
        throw new Failure('prompt_settled', 'This prompt was answered before.');
      }
      return {
        item: { type: 'user_text', id: 'itm_1', seq: 1, timestamp: createdAt, content: item.content, actor },
        effect: 'queued',
      };
    },
    events: async (id, { after = 0, limit = 100 }) => {
      found(this.threadsById, id);
      this.beforeRead();
      const all = this.#events.get(id) ?? [];
      const events = all.slice(after, after + limit);
      const last = events.at(-1)?.seq ?? all.length;
      const part = { events, ...(last < all.length && { next: last }) };
      this.afterRead();
      return part;
    },
    toolOutput: async (id, toolUseId, part) => {
      this.asked.push(['toolOutput', id, toolUseId, part]);
      const text = this.toolOutputs.get(toolUseId);
      if (text === undefined) throw new Failure('not_found', 'Nothing of this call is kept.');
      return outputPart(text, { after: part.after ?? 0, limit: part.limit ?? 10 });
    },
    statusLog: async (id) => ({
      rows: [{ threadId: id, report: found(this.threadsById, id).status, at: createdAt }],
    }),
    changes: async () => ({
      revision: 'c-t',
      base: { commit: 'c', why: 'it was there' },
      isWorktree: false,
      files: [],
      totals: { files: 0, added: 0, removed: 0 },
      notes: [],
    }),
    fileLines: async (_id, { from }) => ({ revision: 'c-t', from, lines: ['one'], total: 1 }),
    diff: async () => ({ base: { commit: 'c', why: 'it was there' }, files: [], patch: '', notes: [] }),
    interrupt: async (id, actor) => this.#changed('interrupt', id, actor),
    stop: async (id, actor) => this.#changed('stop', id, actor),
    setModel: async (id, model, actor) => this.#changed('model', id, model, actor),
    setPermissionMode: async (id, mode, actor) => this.#changed('permission-mode', id, mode, actor),
    setThinkingBudget: async (id, tokens, actor) => this.#changed('thinking-budget', id, tokens, actor),
    asksFirst: async (id) => !this.unasked.has(id),
    rewind: async (id, uuid, actor) => this.#changed('rewind', id, uuid, actor),
    removeWorktree: async (id, options) => this.#changed('removeWorktree', id, options),
  };

  readonly prompts: Host['prompts'] = {
    get: async (id) => found(this.promptsById, id),
    list: async (query) => {
      this.asked.push(['prompts', query]);
      return { rows: [...this.promptsById.values()] };
    },
    answer: async (id, answer, actor) => {
      this.asked.push(['answer', id, answer, actor]);
      return this.#settle(id, { state: 'answered', actor });
    },
    precedents: async (id) => {
      this.asked.push(['precedents', id]);
      return [];
    },
    undo: async (id, actor) => {
      this.asked.push(['undo', id, actor]);
      return found(this.promptsById, id);
    },
    cancel: async (id, { actor, ...rest }) => {
      this.asked.push(['cancelPrompt', id, rest, actor]);
      return this.#settle(id, { state: 'cancelled', actor });
    },
    answerLike: async (id, _answer, actor) => ({
      count: 1,
      prompts: [this.#settle(id, { state: 'answered', actor })],
    }),
  };

  readonly feed: Host['feed'] = {
    subscribe: (threadId, { live }, tell) => {
      const listener = { live, tell };
      const listeners = this.#listeners.get(threadId) ?? new Set();
      this.#listeners.set(threadId, listeners.add(listener));
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };

  readonly statuses: Host['statuses'] = {
    subscribe: (listener) => {
      this.#statusListeners.add(listener);
      return { [Symbol.dispose]: () => void this.#statusListeners.delete(listener) };
    },
  };

  changes: Host['changes'] = () => {
    const subscription = new Subscription({
      filter: {},
      onClose: (closed) => this.#subscriptions.delete(closed),
    });
    this.#subscriptions.add(subscription);
    return subscription;
  };

  readonly grants: Host['grants'] = {
    list: async () => ({ rows: [] }),
    withdraw: async (threadId, promptId, actor) => {
      this.asked.push(['withdraw', threadId, promptId, actor]);
      return { rows: [] };
    },
  };

  readonly agents: Host['agents'] = {
    models: async (id) => [{ id: `model of ${id}` }],
    commands: async (id) => [{ name: `command of ${id}` }],
    servers: async (id) => [{ name: `server of ${id}` }],
    account: async (id) => ({ login: `account of ${id}` }),
  };

  readonly projectCode: Host['projectCode'] = {
    inspect: async (path) => ({ path, files: [], digest: 'd', approved: false }),
    approve: async (path, options) => {
      this.asked.push(['approve', path, options]);
      return { path, files: [], digest: options.digest, approved: true };
    },
  };

  usage: Host['usage'] = async (by) => ({
    rows: [{ key: by, usage: { inputTokens: 1, outputTokens: 2, costUsd: null } }],
  });
  unready: 'store' | 'draining' | null = null;
  readonly watch: Host['watch'] = {
    whyUnready: async () => this.unready,
    look: async () => ({
      dispatches: { queued: 3, running: 2, waiting: 1 },
      openPrompts: 1,
      oldestPromptAt: createdAt,
      unsent: 4,
      workers: (await this.workers()).rows,
      self: 'wrk_other',
      usage: (await this.usage('runtime')).rows,
    }),
  };
  workers: Host['workers'] = async () => ({
    rows: [
      {
        id: newId('worker', ids),
        name: 'here',
        epoch: 1,
        startedAt: createdAt,
        heartbeatAt: createdAt,
        underWay: 0,
      },
    ],
  });
  drainWorker: Host['drainWorker'] = async (which, isDraining) => {
    const [worker] = (await this.workers()).rows;
    if (!worker || which !== worker.name) throw new Failure('not_found', `There is no worker ${which}.`);
    return { ...worker, ...(isDraining && { drainingSince: createdAt }) };
  };
  readonly observedById = new Map<string, ObservedSession>();
  readonly #observedListeners = new Set<() => void>();

  /** Says it as the worker's own look would. */
  see(session: ObservedSession): void {
    this.observedById.set(session.id, session);
    for (const tell of this.#observedListeners) tell();
  }

  readonly observed: Host['observed'] = {
    list: () => [...this.observedById.values()],
    report: (id, report) => {
      this.asked.push(['observed.report', id, report]);
      const session = reportedSession({ id, report }, undefined, Date.parse(createdAt));
      this.see(session);
      return session;
    },
    forget: (id) => {
      if (!this.observedById.delete(id)) throw new Failure('not_found', 'nobody');
    },
    subscribe: (listener) => {
      const tell = () => listener([...this.observedById.values()]);
      this.#observedListeners.add(tell);
      return { [Symbol.dispose]: () => void this.#observedListeners.delete(tell) };
    },
  };

  readonly terminals: Host['terminals'] = {
    open: async (id, request, actor) => {
      this.asked.push(['open terminal', id, request, actor]);
      const command = { file: '/bin/claude', args: ['--resume', 's'], cwd: '/work', env: {}, missingEnv: [] };
      return { thread: found(this.threadsById, id), command };
    },
    begin: async (id, program) => {
      this.asked.push(['begin terminal', id, program]);
      return found(this.threadsById, id);
    },
    close: async (id) => {
      this.asked.push(['close terminal', id]);
      return found(this.threadsById, id);
    },
    sessions: async (query) => {
      this.asked.push(['sessions', query]);
      return [];
    },
    adopt: async (request, actor) => {
      this.asked.push(['adopt', request, actor]);
      return this.addThread();
    },
  };
  runtimes: Host['runtimes'] = async () => [{ name: 'claude', found: true, version: '2', capabilities: {} }];
  stopAgents: Host['stopAgents'] = async (actor) => void this.asked.push(['stopAgents', actor]);

  #changed(...asked: [string, ThreadId, ...unknown[]]): Thread {
    this.asked.push(asked);
    return found(this.threadsById, asked[1]);
  }

  #settle(id: PromptId, change: Partial<Prompt>): Prompt {
    const prompt = found(this.promptsById, id);
    if (prompt.state !== 'pending') throw new Failure('prompt_settled', 'This prompt was answered before.');
    const settled = { ...prompt, ...change };
    this.promptsById.set(id, settled);
    return settled;
  }
}

function newDispatch(threadId: ThreadId, text: string): Dispatch {
  const id = newId('dispatch', ids);
  return { id, threadId, text, actor: 'user:owner', state: 'queued', priority: 0, attempts: [], createdAt };
}

function found<Key, Value>(rows: ReadonlyMap<Key, Value>, id: Key): Value {
  const row = rows.get(id);
  if (row === undefined) throw new Failure('not_found', `There is nothing with the id ${String(id)}.`);
  return row;
}

/** Terms of work, where there are any. */
function said(terms: WorkTerms): WorkTerms[] {
  return Object.keys(terms).length > 0 ? [terms] : [];
}
