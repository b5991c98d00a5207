import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../../client/client.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { settlementWords } from '../../domain/words/settlement-words.js';
import { placedWork } from '../../domain/worktree/typed-place.js';
import { heldBack, settledIn } from '../../live/held-answer.js';
import type { OverviewStore } from '../../live/overview-store.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Landing } from '../../protocol/landing.js';
import type { Answer, Prompt } from '../../protocol/prompt.js';
import { editedInput } from '../ask/edited-input.js';
import { attachThread } from '../attach-thread.js';
import { workSettings } from '../work-options.js';
import { workRequest } from '../work-request.js';
import { ChangeReading } from './change-reading.js';
import type { ConsoleEffect } from './console-effect.js';
import type { ConsoleInput, ConsoleWorld, Toast } from './console-state.js';
import { draftKey } from './diff-place.js';
import type { LandingKind } from './landing-step.js';

/** What the actions of a console work with. */
export interface ActionParts {
  readonly client: Client;
  readonly overview: OverviewStore;
  readonly undoSeconds: () => number;
  readonly tell: (input: ConsoleInput) => void;
  readonly know: (known: Partial<Pick<ConsoleWorld, 'changes' | 'found' | 'history'>>) => void;
  readonly readThread: (threadId: ThreadId) => void;
  readonly readEarlier: () => void;
  /** Leaves the terminal to something else for a while. */
  readonly lend: <Result>(use: () => Promise<Result>) => Promise<Result>;
  readonly quit: () => void;
  readonly useMouse: (isOn: boolean) => void;
}

const historyLength = 100;
const searchPauseMs = 150;

/** Does what keys asked for, and tells what came of it. */
export class ConsoleActions {
  readonly #parts: ActionParts;
  #search = new AbortController();
  readonly #changes: ChangeReading;

  constructor(parts: ActionParts) {
    this.#parts = parts;
    this.#changes = new ChangeReading(parts.client, (changes) => parts.know({ changes }));
  }

  do(effect: ConsoleEffect): void {
    this.#act(effect).catch((error: unknown) => this.#toast({ words: errorSentence(error), tone: 'bad' }));
  }

  async #act(effect: ConsoleEffect): Promise<void> {
    const { client, tell } = this.#parts;
    switch (effect.kind) {
      case 'answer':
        return await this.#answer(effect.prompt, effect.answer);
      case 'undo':
        this.#parts.overview.know(await client.prompts.undo(effect.promptId));
        return this.#toast({ words: 'Undone: the question is open again.', tone: 'quiet' });
      case 'edit':
        return await this.#edit(effect.prompt);
      case 'write': {
        const content = [{ type: 'text' as const, text: effect.text }];
        // A question that comes at this very moment must not take it for its answer.
        await client.threads.post(effect.threadId, { content, metadata: { queue: true } });
        tell({ kind: 'written', threadId: effect.threadId });
        return this.#toast({ words: '✓ Sent.', tone: 'good' });
      }
      case 'interrupt':
        await client.threads.interrupt(effect.threadId);
        return this.#toast({ words: 'Interrupted.', tone: 'quiet' });
      case 'retry':
        return await this.#each(effect.dispatchIds, 'Queued once more', (id) => client.dispatches.retry(id));
      case 'archive':
        return await this.#each(effect.threadIds, 'Archived', (id) => client.threads.archive(id));
      case 'snooze': {
        const { until } = effect;
        const words = until === null ? 'Awake again' : 'Snoozed until tomorrow, 8:00';
        return await this.#each(effect.threadIds, words, (id) => client.threads.snooze(id, { until }));
      }
      case 'give_work':
        return await this.#giveWork(effect.text, effect.isWorktree);
      case 'search':
        return await this.#find(effect.words);
      case 'read_thread':
        return this.#parts.readThread(effect.threadId);
      case 'read_earlier':
        return this.#parts.readEarlier();
      case 'read_changes':
        return await this.#changes.read(effect.threadId);
      case 'land':
        return await this.#land(effect.threadId, effect.how);
      case 'comment': {
        const { threadId, target } = effect;
        await this.#changes.comment(effect);
        return tell({ kind: 'commented', draft: draftKey(threadId, target) });
      }
      case 'remove_comment':
        return await this.#changes.remove(effect);
      case 'resolve_comment':
        return await this.#changes.resolve(effect);
      case 'send_comments': {
        const count = await this.#changes.send(effect.threadId);
        const words =
          count === 1
            ? '✓ The comment was sent to the agent.'
            : `✓ ${count} comments were sent to the agent.`;
        return this.#toast({ words, tone: 'good' });
      }
      case 'read_history': {
        const { dispatches } = await client.dispatches.list({ limit: historyLength, order: 'newest_first' });
        return this.#parts.know({ history: [...new Set(dispatches.map(({ text }) => text))] });
      }
      case 'attach':
        await this.#parts.lend(() => attachThread(client, effect.threadId));
        return this.#toast({ words: "The thread is the worker's again.", tone: 'quiet' });
      case 'mouse':
        return this.#parts.useMouse(effect.isOn);
      case 'quit':
        return this.#parts.quit();
      default:
        return effect satisfies never;
    }
  }

  /** Held back for a moment, so that it can be undone; one that was settled meanwhile is shown as it stands. */
  async #answer(prompt: Prompt, answer: Answer): Promise<void> {
    const { client, overview, tell, undoSeconds } = this.#parts;
    try {
      const answered = await client.prompts.answer(prompt.id, heldBack(prompt, answer, undoSeconds()));
      overview.know(answered);
      const undo = answered.undoUntil === undefined ? '' : ' · z to undo';
      this.#toast({
        words: `${plainLine(settlementWords(answered), { maxLength: 200 })}${undo}`,
        tone: 'good',
      });
    } catch (error) {
      const settled = settledIn(error);
      if (!settled) throw error;
      overview.know(settled);
    } finally {
      tell({ kind: 'sent', promptId: prompt.id });
    }
  }

  async #land(threadId: ThreadId, how: LandingKind): Promise<void> {
    const { threads } = this.#parts.client;
    const landings: Readonly<Record<LandingKind, () => Promise<Landing>>> = {
      merge: () => threads.merge(threadId),
      apply: () => threads.apply(threadId),
      pull_request: () => threads.openPullRequest(threadId),
      discard: () => threads.discard(threadId),
    };
    const { sentence, state } = await landings[how]();
    this.#toast({ words: sentence, tone: state === 'done' ? 'good' : 'bad' });
    await this.#changes.read(threadId);
  }

  /** Each on its own: what is refused says why, and the rest is done. */
  async #each<Id>(ids: readonly Id[], done: string, act: (id: Id) => Promise<unknown>): Promise<void> {
    const refused: string[] = [];
    for (const id of ids) await act(id).catch((error: unknown) => refused.push(errorSentence(error)));
    const count = ids.length - refused.length;
    const words = ids.length === 1 ? `✓ ${done}.` : `✓ ${done}: ${count}.`;
    const [why] = refused;
    if (why === undefined) return this.#toast({ words, tone: 'good' });
    const not = refused.length === 1 ? '' : `${refused.length} refused: `;
    this.#toast({ words: `${count > 0 ? `${words} ` : ''}${not}${why}`, tone: 'bad' });
  }

  async #edit(prompt: Prompt): Promise<void> {
    const edited = await this.#parts.lend(() => editedInput(prompt.action?.input ?? {}));
    if (edited.kind === 'edited')
      return await this.#answer(prompt, { decision: { approved: true, updatedInput: edited.input } });
    const why = edited.kind === 'unchanged' ? 'You changed nothing' : edited.why;
    this.#toast({ words: `${why}. The approval is still open.`, tone: 'bad' });
  }

  async #giveWork(text: string, isWorktree: boolean): Promise<void> {
    const { client, tell } = this.#parts;
    try {
      const { text: words, place } = placedWork(text);
      const inFolder = isWorktree ? ({ worktree: true } as const) : {};
      const options = place && 'repo' in place ? given({ ...place }) : inFolder;
      const { settings, flags } = workSettings(options);
      await client.dispatches.submit(await workRequest(words, options, { settings, flags }));
      this.#toast({ words: '✓ Queued.', tone: 'good' });
    } catch (error) {
      tell({ kind: 'work_refused', text });
      throw error;
    }
  }

  async #find(words: string): Promise<void> {
    this.#search.abort();
    this.#search = new AbortController();
    const { signal } = this.#search;
    if (words === '') return this.#parts.know({ found: undefined });
    await sleep(searchPauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const { threads, matches = [] } = await this.#parts.client.threads.list({ search: words, limit: 200 });
    if (signal.aborted) return;
    const excerpts = new Map(threads.map(({ id }) => [id, '']));
    for (const { threadId, excerpt } of matches) excerpts.set(threadId, excerpt);
    this.#parts.know({ found: { words, excerpts } });
  }

  #toast(toast: Toast): void {
    this.#parts.tell({ kind: 'told', toast });
  }
}
