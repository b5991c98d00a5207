import { grantedBy } from '../../domain/prompts/thread-grant.js';
import { decisionIn } from '../../domain/prompts/thread-prompt.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { Failure } from '../../protocol/failure.js';
import type { Grant } from '../../protocol/grant.js';
import type { PromptId, ThreadId } from '../../protocol/id.js';
import type { Page } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import type { Actor, Grants } from '../host.js';
import { type ListPart, listPage } from '../list-page.js';
import type { ThreadChanges } from '../threads/thread-changes.js';

export interface GrantServiceParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
}

/** The approvals that hold for a whole thread: shows what they cover, and takes them back. */
export class GrantService implements Grants {
  readonly #parts: GrantServiceParts;

  constructor(parts: GrantServiceParts) {
    this.#parts = parts;
  }

  async list(threadId: ThreadId, part: ListPart = {}): Promise<Page<Grant>> {
    const { thread } = await this.#parts.changes.state(threadId);
    return await listPage(thread.grants, {
      ...part,
      keyOf: ({ promptId }) => promptId,
      show: async ({ promptId, actor, at }) => {
        const prompt = await this.#parts.store.query('prompt', { id: promptId });
        const action = prompt && grantedBy(prompt, decisionIn(prompt) ?? { approved: false });
        return action ? { promptId, tool: action.tool, input: action.input, actor, createdAt: at } : null;
      },
    });
  }

  async withdraw(threadId: ThreadId, promptId: PromptId, actor: Actor): Promise<Page<Grant>> {
    await this.#parts.changes.commit(threadId, (state) => {
      const grants = state.thread.grants.filter((grant) => grant.promptId !== promptId);
      if (grants.length === state.thread.grants.length)
        throw new Failure('not_found', `${promptId} is no approval that holds for ${threadId}.`);
      const message = `The approval for this thread that was given with ${promptId} was withdrawn by ${actorWords(actor)}.`;
      return {
        operations: [{ do: 'patchThread', threadId, patch: { grants } }],
        events: [{ type: 'notice', message }],
        state: { ...state, thread: { ...state.thread, grants } },
        result: undefined,
      };
    });
    return await this.list(threadId);
  }
}
