import type { Actor, FeedEvent, Host } from '../../src/host/host.js';
import { feedEvent } from '../../src/host/live-feed.js';
import type { StatusChange } from '../../src/protocol/api.js';
import type { Dispatch } from '../../src/protocol/dispatch.js';
import { Failure } from '../../src/protocol/failure.js';
import { type DispatchId, newId, type PromptId, type ThreadId } from '../../src/protocol/id.js';
import type { UserItem } from '../../src/protocol/item.js';
import type { Prompt } from '../../src/protocol/prompt.js';
import type { Thread } from '../../src/protocol/thread.js';
import { Subscription } from '../../src/store/subscription.js';

type StoredEvent = Awaited<ReturnType<Host['threads']['events']>>[number];

const createdAt = '2026-01-02T03:04:05.000Z';
let time = Date.parse(createdAt);
const ids = { now: () => time++, randomBytes: (length: number) => new Uint8Array(length) };

/** A host that keeps everything in memory and does no work: what HTTP asks of it is written down in `asked`. */
export class MemoryHost implements Host {
  readonly asked: unknown[][] = [];
  readonly threadsById = new Map<ThreadId, Thread>();
  readonly promptsById = new Map<PromptId, Prompt>();
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
      const dispatch = this.addDispatch(request.thread ?? this.addThread().id, { text: request.text });
      if (by.idempotencyKey !== undefined) this.#byKey.set(by.idempotencyKey, { body, dispatch });
      return { dispatch, isNew: true };
    },
    get: async (id) => found(this.dispatchesById, id),
    list: async (query) => {
      this.asked.push(['dispatches', query]);
      return { rows: [...this.dispatchesById.values()], next: 'more' };
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
    retry: async (id) => this.addDispatch(found(this.dispatchesById, id).threadId, { retryOf: id }),
  };

  readonly threads: Host['threads'] = {
    create: async (request) => this.addThread({ runtime: request.runtime, workspace: request.workspace }),
    get: async (id) => found(this.threadsById, id),
    list: async () => ({ rows: [...this.threadsById.values()] }),
    items: async () => ({ items: [] }),
    post: async (id, item: UserItem, actor: Actor) => {
      this.asked.push(['post', id, item, actor]);
      const named = item.metadata?.prompt?.prompt_id;
      if (named !== undefined && found(this.promptsById, named).state !== 'pending') {
        throw new Failure('prompt_settled', 'This prompt was answered before.');
      }
      return {
        item: { type: 'user_text', seq: 1, timestamp: createdAt, text: item.content[0]?.text ?? '', actor },
        effect: 'queued',
      };
    },
    events: async (id, { after = 0, limit = 100 }) => {
      found(this.threadsById, id);
      this.beforeRead();
      const page = (this.#events.get(id) ?? []).slice(after, after + limit);
      this.afterRead();
      return page;
    },
    statusLog: async (id) => ({
      rows: [{ threadId: id, report: found(this.threadsById, id).status, at: createdAt }],
    }),
    diff: async () => ({ base: { commit: 'c', why: 'it was there' }, files: [], patch: '', notes: [] }),
    interrupt: async (id, actor) => this.#changed('interrupt', id, actor),
    stop: async (id, actor) => this.#changed('stop', id, actor),
    setModel: async (id, model, actor) => this.#changed('model', id, model, actor),
    setPermissionMode: async (id, mode, actor) => this.#changed('permission-mode', id, mode, actor),
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
    cancel: async (id, { actor, ...rest }) => {
      this.asked.push(['cancelPrompt', id, rest, actor]);
      return this.#settle(id, { state: 'cancelled', actor });
    },
    answerLike: async (id, _answer, actor) => [this.#settle(id, { state: 'answered', actor })],
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

  readonly projectCode: Host['projectCode'] = {
    inspect: async (path) => ({ path, files: [], digest: 'd', approved: false }),
    approve: async (path, options) => {
      this.asked.push(['approve', path, options]);
      return { path, files: [], digest: options.digest, approved: true };
    },
  };

  usage: Host['usage'] = async (by) => [
    { key: by, usage: { inputTokens: 1, outputTokens: 2, costUsd: null } },
  ];
  workers: Host['workers'] = async () => [
    { id: newId('worker', ids), name: 'here', epoch: 1, startedAt: createdAt, heartbeatAt: createdAt },
  ];
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
