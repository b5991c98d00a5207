import type { Client } from '../../client/client.js';
import { nameUuid } from '../../process/name-uuid.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { ThreadId } from '../../protocol/id.js';
import { type ChangeRows, noChanges, withComments, withPage } from './change-rows.js';
import type { ConsoleEffect } from './console-effect.js';
import { draftKey } from './diff-place.js';

type Effect<Kind extends ConsoleEffect['kind']> = Extract<ConsoleEffect, { kind: Kind }>;

// Few read more, and a browser shows it better.
const mostChangeRows = 200_000;

/** The changes of the thread that is looked at, and what is said about their lines. */
export class ChangeReading {
  readonly #client: Client;
  readonly #know: (changes: ChangeRows) => void;
  #changes: ChangeRows | undefined;
  #readings = 0;

  constructor(client: Client, know: (changes: ChangeRows) => void) {
    this.#client = client;
    this.#know = know;
  }

  async read(threadId: ThreadId): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const { comments } = this.#of(threadId) ?? noChanges(threadId);
    this.#keep(noChanges(threadId));
    try {
      for await (const page of this.#client.threads.allChanges(threadId, { hunks: true })) {
        // Somebody has gone on to other changes, or reads these anew.
        if (this.#readings !== reading || !this.#changes) return;
        this.#keep(withPage(this.#changes, page));
        if (this.#changes.rows.length > mostChangeRows) break;
      }
      if (this.#readings !== reading || !this.#changes) return;
      this.#keep(withComments(this.#changes, comments));
      await this.#readComments(threadId);
    } catch (error) {
      if (this.#readings === reading && this.#changes)
        this.#keep({ ...this.#changes, failure: errorSentence(error) });
    }
  }

  /** Adds a comment, or gives one other words; done again after a lost reply, it is there once. */
  async comment({ threadId, target, body, since }: Effect<'comment'>): Promise<void> {
    const { comments } = this.#client;
    if (target.kind === 'comment') await comments.edit(threadId, target.id, { body });
    else {
      const { file, line, side, quote } = target;
      const id = nameUuid(`comment ${draftKey(threadId, target)} ${since}`, 8);
      await comments.add(threadId, { id, file, line, side, quote, body });
    }
    await this.#readComments(threadId);
  }

  async remove({ threadId, id }: Effect<'remove_comment'>): Promise<void> {
    await this.#client.comments.remove(threadId, id);
    await this.#readComments(threadId);
  }

  async resolve({ threadId, id, to }: Effect<'resolve_comment'>): Promise<void> {
    await this.#client.comments.edit(threadId, id, { state: to });
    await this.#readComments(threadId);
  }

  /** Gives the comments that wait to the agent, and says how many. */
  async send(threadId: ThreadId): Promise<number> {
    const { sent } = await this.#client.comments.send(threadId);
    await this.#readComments(threadId);
    return sent.length;
  }

  async #readComments(threadId: ThreadId): Promise<void> {
    const comments = await this.#client.comments.all(threadId);
    const changes = this.#of(threadId);
    if (changes) this.#keep(withComments(changes, comments));
  }

  #of(threadId: ThreadId): ChangeRows | undefined {
    return this.#changes?.threadId === threadId ? this.#changes : undefined;
  }

  #keep(changes: ChangeRows): void {
    this.#changes = changes;
    this.#know(changes);
  }
}
