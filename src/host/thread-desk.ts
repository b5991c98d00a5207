import { cancelledEnding, outcomeOf } from '../domain/outcome.js';
import { resolvePermissions } from '../domain/permissions.js';
import { ItemFold } from '../domain/thread-items.js';
import type { Posted, ThreadDiff, ThreadRequest } from '../protocol/api.js';
import { Failure } from '../protocol/failure.js';
import type { ThreadId } from '../protocol/id.js';
import type { UserItem } from '../protocol/item.js';
import type { PermissionMode, Posture } from '../protocol/posture.js';
import type { PromptActor } from '../protocol/prompt.js';
import { Thread } from '../protocol/thread.js';
import type { Page, PageRequest } from '../store/page.js';
import type { StatusTransition } from '../store/status-transition.js';
import type { Store } from '../store/store.js';
import type { StoredEvent } from '../store/stored-event.js';
import type { StoredThread } from '../store/stored-thread.js';
import type { Activities } from './activities.js';
import type { Admission } from './admission.js';
import type { Courier } from './courier.js';
import type { DispatchDesk } from './dispatch-desk.js';
import type { Actor, Threads } from './host.js';
import { interruptThread } from './interruption.js';
import { feedEvent } from './live-feed.js';
import type { PromptDesk } from './prompt-desk.js';
import { PromptFold } from './prompt-fold.js';
import type { ThreadBook } from './thread-book.js';
import { isOpen, type ThreadState } from './thread-state.js';
import type { Worker } from './worker.js';
import { threadDiff } from './workspace-diff.js';
import type { Worktrees } from './worktrees.js';

const pageOfEvents = 500;
const defaultItems = 200;

export interface ThreadDeskOutside {
  readonly store: Store;
  readonly activities: Activities;
  readonly book: ThreadBook;
  readonly worker: Worker;
  readonly courier: Courier;
  readonly admission: Admission;
  readonly dispatches: DispatchDesk;
  readonly prompts: PromptDesk;
  readonly worktrees: Worktrees;
  readonly env: Readonly<Record<string, string>>;
  readonly now: () => number;
  readonly newUuid: () => string;
}

/** Threads as people use them: read them, write into them, steer their agents. */
export class ThreadDesk implements Threads {
  readonly #outside: ThreadDeskOutside;

  constructor(outside: ThreadDeskOutside) {
    this.#outside = outside;
  }

  async create(request: ThreadRequest): Promise<Thread> {
    const row = this.#outside.admission.newThread(request);
    await this.#outside.store.commit({ operations: [{ do: 'insertThread', thread: row }] });
    return await this.get(row.id);
  }

  async get(id: ThreadId): Promise<Thread> {
    const thread = await this.#outside.store.query('thread', { id });
    if (!thread) throw new Failure('not_found', `There is no thread ${id}.`);
    return this.#shown(thread);
  }

  async list(page: Parameters<Threads['list']>[0]): Promise<Page<Thread>> {
    const found = await this.#outside.store.query('threads', page);
    return { ...found, rows: found.rows.map((row) => this.#shown(row)) };
  }

  async items(id: ThreadId, part: { readonly after?: number; readonly limit?: number }) {
    await this.get(id);
    const { limit = defaultItems } = part;
    const fold = new ItemFold();
    let after = part.after ?? 0;
    for (;;) {
      const events = await this.events(id, { after, limit: pageOfEvents });
      for (const event of events) {
        fold.add(parsed(event));
        after = event.seq;
        if (fold.items.length > limit) break;
      }
      if (fold.items.length > limit) {
        const items = fold.items.slice(0, limit);
        const next = fold.items[limit];
        return { items, ...(next ? { next: next.seq - 1 } : {}) };
      }
      if (events.length < pageOfEvents) return { items: fold.items };
    }
  }

  async events(
    id: ThreadId,
    part: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly StoredEvent[]> {
    const events = await this.#outside.store.query('events', { threadId: id, ...part });
    if (events.length === 0) await this.get(id);
    return events;
  }

  async statusLog(id: ThreadId, page: PageRequest): Promise<Page<StatusTransition>> {
    await this.get(id);
    return await this.#outside.store.query('statusLog', { threadId: id, ...page });
  }

  async diff(id: ThreadId): Promise<ThreadDiff> {
    const { workspace } = await this.get(id);
    return await threadDiff(workspace, this.#outside.env);
  }

  async post(id: ThreadId, item: UserItem, actor: Actor): Promise<Posted> {
    const text = item.content.map((part) => part.text).join('\n');
    const state = await this.#outside.book.state(id);
    const named = item.metadata?.prompt;
    if (named?.answers !== undefined) {
      const { threadId } = await this.#outside.prompts.get(named.prompt_id);
      if (threadId !== id) throw new Failure('not_found', `${named.prompt_id} is not a prompt of ${id}.`);
      await this.#outside.prompts.answer(named.prompt_id, { answers: named.answers }, actor);
      return this.#posted({ text, actor, effect: 'answered', promptId: named.prompt_id });
    }
    const active = item.metadata?.queue === true ? null : await this.#answerable(state, item);
    if (active) {
      await this.#outside.prompts.answer(active.id, { text }, actor);
      return this.#posted({ text, actor, effect: 'answered', promptId: active.id });
    }
    return await this.#queue(state, item, { text, actor });
  }

  async interrupt(id: ThreadId, actor: Actor): Promise<Thread> {
    await this.#cancelPrompts(id, 'turn_cancelled', actor);
    await interruptThread(id, this.#outside);
    return await this.get(id);
  }

  async stop(id: ThreadId, actor: Actor): Promise<Thread> {
    const { run } = await this.#outside.book.state(id);
    if (run) await this.end(id, `stopped by ${actor}`, { promptReason: 'turn_cancelled', actor });
    return await this.get(id);
  }

  /** Ends the agent of a thread properly: its prompts are cancelled first, its work is called off. */
  async end(
    id: ThreadId,
    reason: string,
    options: { readonly promptReason: string; readonly actor?: PromptActor },
  ): Promise<void> {
    const { book, worker, dispatches } = this.#outside;
    const { promptReason, actor } = options;
    const outcome = outcomeOf({ ...cancelledEnding, reason });
    await dispatches.callOffThread(id, { outcome, promptReason });
    await this.#cancelPrompts(id, promptReason, actor);
    const { run } = await book.state(id);
    if (run) await worker.end(run.run.id, reason);
  }

  async setModel(id: ThreadId, model: string, actor: Actor): Promise<Thread> {
    return await this.#amend(id, { model }, actor);
  }

  async setPermissionMode(id: ThreadId, permissionMode: PermissionMode, actor: Actor): Promise<Thread> {
    const { thread } = await this.#outside.book.state(id);
    resolvePermissions({ permissions: thread.launch.permissions, permissionMode });
    return await this.#amend(id, { permissionMode }, actor);
  }

  async rewind(id: ThreadId, checkpointUuid: string): Promise<Thread> {
    const { run } = await this.#outside.book.state(id);
    const commandId = `rewind-${this.#outside.newUuid()}`;
    const command = { type: 'rewind_files', checkpointUuid, commandId } as const;
    if (!run || !this.#outside.worker.watch(run.run.id)?.send(command))
      throw new Failure('conflict', `${id} has no agent now; send it a message first, then rewind.`);
    return await this.get(id);
  }

  async removeWorktree(
    id: ThreadId,
    { force, actor }: { readonly force: boolean; readonly actor: Actor },
  ): Promise<Thread> {
    const { book, worktrees } = this.#outside;
    const { thread, run } = await book.state(id);
    const { workspace } = thread;
    if (!workspace.worktree || workspace.branch === undefined)
      throw new Failure('conflict', `${id} has no worktree.`);
    if (run && !['idle', 'stopped'].includes(thread.status.state))
      throw new Failure('conflict', `The agent of ${id} is at work; stop it first.`);
    const { clean, why } = await worktrees.state(workspace.path);
    if (!clean && !force) throw new Failure('conflict', `The worktree ${workspace.path} is kept: ${why}`);
    await this.end(id, 'its worktree is removed', { promptReason: 'turn_cancelled' });
    await worktrees.remove(workspace.path, { force });
    await book.change(id, (state) => ({
      operations: [],
      says: [{ type: 'notice', message: `The worktree ${workspace.path} was removed by ${actor}.` }],
      state,
      result: undefined,
    }));
    return await this.get(id);
  }

  #shown(thread: StoredThread): Thread {
    return { ...Thread.parse(thread), ...this.#outside.activities.of(thread.id) };
  }

  async #cancelPrompts(id: ThreadId, reason: string, actor: PromptActor | undefined): Promise<void> {
    await this.#outside.book.change(id, (state) => {
      const prompts = new PromptFold(state);
      prompts.cancelAll(reason, actor);
      if (prompts.operations.length === 0) return null;
      return prompts.change(undefined);
    });
  }

  /** The prompt that the next words of a person answer; they must have seen it where several are open. */
  async #answerable(state: ThreadState, item: UserItem) {
    const open = state.prompts.filter(isOpen);
    const active = open.find((prompt) => prompt.active);
    if (!active || open.length === 1) return active;
    const asked = await this.#askedAt(state, active.id);
    if (asked !== null && (item.seenSeq ?? 0) >= asked) return active;
    throw new Failure(
      'prompt_ambiguous',
      `${open.length} prompts of ${state.thread.id} are open; answer one by its id: ${open.map(({ id }) => id).join(', ')}.`,
    );
  }

  /** The place in the thread where a prompt was asked. */
  async #askedAt({ thread }: ThreadState, promptId: string): Promise<number | null> {
    for (let before = thread.lastSeq; before > 0; before -= pageOfEvents) {
      const after = Math.max(0, before - pageOfEvents);
      const events = await this.events(thread.id, { after, limit: before - after });
      const asked = events.findLast(
        ({ type, json }) => type === 'prompt_asked' && json.includes(`"${promptId}"`),
      );
      if (asked) return asked.seq;
    }
    return null;
  }

  /** Words that answer nothing: said during the work if there is some, else new work. */
  async #queue(
    state: ThreadState,
    item: UserItem,
    { text, actor }: { readonly text: string; readonly actor: Actor },
  ): Promise<Posted> {
    const { id } = state.thread;
    const { attachments } = item;
    const sent = await this.#outside.courier.message(id, {
      uuid: this.#outside.newUuid(),
      text,
      actor,
      attachments,
      beginsWork: false,
      isRemark: true,
    });
    if (sent) {
      const [event] = await this.events(id, { after: sent.seq - 1, limit: 1 });
      const place = event ? { seq: sent.seq, timestamp: event.timestamp } : {};
      return this.#posted({ text, actor, effect: 'queued', ...place });
    }
    const request = { text, thread: id, ...(attachments ? { attachments } : {}) };
    const { dispatch } = await this.#outside.dispatches.submit(request, { actor });
    return this.#posted({ text, actor, effect: 'queued', dispatchId: dispatch.id });
  }

  #posted(
    post: {
      readonly text: string;
      readonly actor: Actor;
      readonly effect: Posted['effect'];
      readonly seq?: number;
      readonly timestamp?: string;
    } & Pick<Posted, 'promptId' | 'dispatchId'>,
  ): Posted {
    const { text, actor, effect, seq, promptId, dispatchId } = post;
    const work = dispatchId === undefined ? {} : { dispatchId };
    return {
      item: {
        type: 'user_text',
        ...(seq === undefined ? {} : { seq }),
        timestamp: post.timestamp ?? new Date(this.#outside.now()).toISOString(),
        text,
        actor,
        ...work,
      },
      effect,
      ...(promptId === undefined ? {} : { promptId }),
      ...work,
    };
  }

  async #amend(id: ThreadId, posture: Posture, actor: Actor): Promise<Thread> {
    const { run } = await this.#outside.book.state(id);
    if (!run)
      throw new Failure('conflict', `${id} has no agent now; the change can be made once it works again.`);
    this.#outside.admission.checkAmended(run, posture);
    const at = new Date(this.#outside.now()).toISOString();
    await this.#outside.worker.amend(run.run.id, { posture, actor, at });
    return await this.get(id);
  }
}

function parsed(event: StoredEvent): Record<string, unknown> {
  const value: unknown = JSON.parse(feedEvent(event).json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
