import { actorWords } from '../../domain/words/actor-words.js';
import type { Posted, SnoozeRequest, ThreadDiff, ThreadEdit, ThreadRequest } from '../../protocol/api.js';
import type { ChangedFileLines, ChangePage } from '../../protocol/changes.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { UserItem } from '../../protocol/item.js';
import type { PermissionMode } from '../../protocol/posture.js';
import type { Thread } from '../../protocol/thread.js';
import type { PageRequest } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import type { Admission } from '../dispatches/admission.js';
import type { Actor, Threads, WorkTerms } from '../host.js';
import { expectNoTerminal } from '../terminals/expect-no-terminal.js';
import type { ChangedLineRequest, ChangeReader, ChangeRequest } from '../workspaces/change-reader.js';
import { threadDiff } from '../workspaces/workspace-diff.js';
import type { Worktrees } from '../workspaces/worktrees.js';
import type { AgentControl } from './agent-control.js';
import { nameTaken } from './name-taken.js';
import type { Snoozing } from './snoozing.js';
import { ChangeRefused, type ThreadChanges } from './thread-changes.js';
import type { ThreadMessages } from './thread-messages.js';
import type { ThreadReader } from './thread-reader.js';

export interface ThreadServiceParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly reader: ThreadReader;
  readonly messages: ThreadMessages;
  readonly agents: AgentControl;
  readonly admission: Admission;
  readonly worktrees: Worktrees;
  readonly changeReader: ChangeReader;
  readonly snoozing: Snoozing;
}

/** Threads as people use them: read them, write into them, steer their agents. */
export class ThreadService implements Threads {
  readonly #parts: ThreadServiceParts;

  constructor(parts: ThreadServiceParts) {
    this.#parts = parts;
  }

  async create(request: ThreadRequest): Promise<Thread> {
    const row = this.#parts.admission.newThread(request);
    const made = await this.#parts.store.commit({ operations: [{ do: 'insertThread', thread: row }] });
    if (!made.committed) throw nameTaken(made.refusal) ?? new ChangeRefused(row.id, made.refusal);
    return await this.get(row.id);
  }

  async edit(id: ThreadId, { name }: ThreadEdit, actor: Actor): Promise<Thread> {
    const words = name === null ? 'The name was taken away' : `The thread was named ${name}`;
    try {
      await this.#parts.changes.commit(id, ({ thread, ...state }) => {
        const { name: before, ...unnamed } = thread;
        if ((before ?? null) === name) return null;
        return {
          operations: [{ do: 'patchThread', threadId: id, patch: { name } }],
          events: [{ type: 'notice', message: `${words} by ${actorWords(actor)}.` }],
          state: { ...state, thread: { ...unnamed, ...(name !== null && { name }) } },
          result: undefined,
        };
      });
    } catch (error) {
      throw (error instanceof ChangeRefused && nameTaken(error.refusal)) || error;
    }
    return await this.get(id);
  }

  async snooze(id: ThreadId, request: SnoozeRequest, actor: Actor): Promise<Thread> {
    await this.#parts.snoozing.snooze(id, request, actor);
    return await this.get(id);
  }

  async get(id: ThreadId): Promise<Thread> {
    return await this.#parts.reader.get(id);
  }

  async list(page: Parameters<Threads['list']>[0]) {
    return await this.#parts.reader.list(page);
  }

  async items(id: ThreadId, range: Parameters<Threads['items']>[1]) {
    return await this.#parts.reader.items(id, range);
  }

  async events(id: ThreadId, range: Parameters<Threads['events']>[1]) {
    return await this.#parts.reader.events(id, range);
  }

  async toolOutput(id: ThreadId, toolUseId: string, range: Parameters<Threads['toolOutput']>[2]) {
    return await this.#parts.reader.toolOutput(id, toolUseId, range);
  }

  async statusLog(id: ThreadId, page: PageRequest) {
    return await this.#parts.reader.statusLog(id, page);
  }

  async diff(id: ThreadId): Promise<ThreadDiff> {
    const { thread } = await this.#parts.changes.ownState(id);
    return await threadDiff(thread, this.#parts.changeReader);
  }

  async changes(id: ThreadId, part: ChangeRequest): Promise<ChangePage> {
    const { thread } = await this.#parts.changes.ownState(id);
    return await this.#parts.changeReader.page(thread, part);
  }

  async fileLines(id: ThreadId, lines: ChangedLineRequest): Promise<ChangedFileLines> {
    const { thread } = await this.#parts.changes.ownState(id);
    return await this.#parts.changeReader.lines(thread, lines);
  }

  async post(id: ThreadId, item: UserItem, actor: Actor, terms?: WorkTerms): Promise<Posted> {
    return await this.#parts.messages.post(id, item, actor, terms);
  }

  async interrupt(id: ThreadId, actor: Actor): Promise<Thread> {
    await this.#parts.agents.interrupt(id, actor);
    return await this.get(id);
  }

  async stop(id: ThreadId, actor: Actor): Promise<Thread> {
    await this.#parts.agents.stop(id, actor);
    return await this.get(id);
  }

  async setModel(id: ThreadId, model: string, actor: Actor): Promise<Thread> {
    await this.#parts.agents.setModel(id, model, actor);
    return await this.get(id);
  }

  async setPermissionMode(id: ThreadId, permissionMode: PermissionMode, actor: Actor): Promise<Thread> {
    await this.#parts.agents.setPermissionMode(id, permissionMode, actor);
    return await this.get(id);
  }

  async setThinkingBudget(id: ThreadId, maxThinkingTokens: number, actor: Actor): Promise<Thread> {
    await this.#parts.agents.amend(id, { maxThinkingTokens }, actor);
    return await this.get(id);
  }

  async asksFirst(id: ThreadId): Promise<boolean> {
    return await this.#parts.agents.asksFirst(id);
  }

  async rewind(id: ThreadId, checkpointUuid: string): Promise<Thread> {
    await this.#parts.agents.rewind(id, checkpointUuid);
    return await this.get(id);
  }

  async removeWorktree(
    id: ThreadId,
    { force, actor }: { readonly force: boolean; readonly actor: Actor },
  ): Promise<Thread> {
    const { changes, worktrees, agents } = this.#parts;
    const { thread, run } = await changes.state(id);
    const { workspace } = thread;
    if (!workspace.worktree || workspace.branch === undefined)
      throw new Failure('conflict', `${id} has no worktree.`);
    expectNoTerminal(thread);
    if (run && !['idle', 'stopped'].includes(thread.status.state))
      throw new Failure('conflict', `The agent of ${id} is working. Stop it first.`);
    const { clean, why } = await worktrees.state(workspace.path);
    if (!clean && !force)
      throw new Failure('conflict', `The worktree ${workspace.path} was not removed. ${why}`);
    await agents.end(id, 'its worktree was removed', { promptReason: 'turn_cancelled' });
    await worktrees.remove(workspace.path, { force });
    const message = `The worktree ${workspace.path} was removed by ${actor}.`;
    await changes.append(id, [{ type: 'notice', message }]);
    return await this.get(id);
  }
}
