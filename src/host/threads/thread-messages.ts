import { isOpen, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { contentOf } from '../../domain/thread/item-text.js';
import type { Posted } from '../../protocol/api.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import type { UserItem } from '../../protocol/item.js';
import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { DispatchService } from '../dispatches/dispatch-service.js';
import type { Actor, WorkTerms } from '../host.js';
import type { PromptService } from '../prompts/prompt-service.js';
import type { CommandDelivery } from '../runs/command-delivery.js';
import type { ThreadChanges } from './thread-changes.js';
import type { ThreadState } from './thread-state.js';

export interface ThreadMessagesParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly delivery: CommandDelivery;
  readonly dispatches: DispatchService;
  readonly prompts: PromptService;
  readonly clock: Clock;
  readonly newUuid: () => string;
}

interface Message {
  readonly text: string;
  readonly actor: Actor;
}

/** What people write into a thread: the answer to its prompt, a follow-up to its work, or new work. */
export class ThreadMessages {
  readonly #parts: ThreadMessagesParts;

  constructor(parts: ThreadMessagesParts) {
    this.#parts = parts;
  }

  async post(id: ThreadId, item: UserItem, actor: Actor, terms: WorkTerms = {}): Promise<Posted> {
    const { changes, prompts } = this.#parts;
    const text = item.content.map((part) => part.text).join('\n');
    const state = await changes.state(id);
    const named = item.metadata?.prompt;
    if (named?.answers !== undefined) {
      const { threadId } = await prompts.get(named.prompt_id);
      if (threadId !== id) throw new Failure('not_found', `${named.prompt_id} is not a prompt of ${id}.`);
      await prompts.answer(named.prompt_id, { answers: named.answers }, actor);
      return this.#posted({ text, actor, effect: 'answered', promptId: named.prompt_id });
    }
    const active = item.metadata?.queue === true ? undefined : answerable(state, item);
    if (active) {
      await prompts.answer(active.id, { text }, actor);
      return this.#posted({ text, actor, effect: 'answered', promptId: active.id });
    }
    return await this.#queue(id, item, { text, actor, terms });
  }

  /** A message that answers nothing: a follow-up if work is under way and nothing is asked, else new work. */
  async #queue(
    id: ThreadId,
    item: UserItem,
    { text, actor, terms }: Message & { readonly terms: WorkTerms },
  ): Promise<Posted> {
    const { store, changes, delivery, dispatches, newUuid } = this.#parts;
    const { attachments } = item;
    const followUp = { uuid: newUuid(), text, actor, attachments, beginsWork: false, isFollowUp: true };
    // An agent that asks hears nothing before it has its answer; until then the message can be changed and removed.
    const { prompts } = await changes.state(id);
    const sent = prompts.some(isOpen) ? null : await delivery.message(id, followUp);
    if (sent) {
      const [event] = await store.query('events', { threadId: id, after: sent.seq - 1, limit: 1 });
      const place = event ? { seq: sent.seq, timestamp: event.timestamp } : {};
      return this.#posted({ text, actor, effect: 'queued', ...place });
    }
    const { dispatch } = await dispatches.submit(
      { text, thread: id, ...given({ attachments }), ...terms },
      { actor },
    );
    return this.#posted({ text, actor, effect: 'queued', dispatchId: dispatch.id });
  }

  #posted(
    post: Message & {
      readonly effect: Posted['effect'];
      readonly seq?: number;
      readonly timestamp?: string;
    } & Pick<Posted, 'promptId' | 'dispatchId'>,
  ): Posted {
    const { text, actor, effect, seq, promptId, dispatchId } = post;
    return {
      item: {
        type: 'user_text',
        ...(seq === undefined ? {} : { id: `itm_${seq}` as const, seq }),
        timestamp: post.timestamp ?? instant(this.#parts.clock),
        content: contentOf(text),
        actor,
        ...given({ dispatchId }),
      },
      effect,
      ...given({ promptId, dispatchId }),
    };
  }
}

/** The prompt that the next words of a person answer; they must have seen it where several are open. */
function answerable({ thread, prompts }: ThreadState, { seenSeq = 0 }: UserItem): ThreadPrompt | undefined {
  const open = prompts.filter(isOpen);
  const active = open.find((prompt) => prompt.active);
  if (!active || open.length === 1) return active;
  if (active.askedSeq !== undefined && seenSeq >= active.askedSeq) return active;
  throw new Failure(
    'prompt_ambiguous',
    `${open.length} questions of ${thread.id} are open. Answer one by its id: ${open.map(({ id }) => id).join(', ')}.`,
  );
}
