import { goOn, stopWatching } from '../../domain/landing/watch-words.js';
import { askOwn, type OwnPromptChange, useOwn } from '../../domain/prompts/own-prompt.js';
import { isOpen } from '../../domain/prompts/thread-prompt.js';
import { given } from '../../protocol/given.js';
import type { StoredLanding } from '../../store/stored-landing.js';
import { instant } from '../clock.js';
import { sha256 } from '../sha256.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { RequestWatchesParts } from './request-watches.js';
import type { Watching } from './watch-record.js';

/** The question whether an agent goes on with a pull request, once it has had its rounds: asked and used in one commit each. */
export class RoundsQuestion {
  readonly #parts: Pick<RequestWatchesParts, 'store' | 'changes' | 'clock' | 'newPromptId'>;

  constructor(parts: Pick<RequestWatchesParts, 'store' | 'changes' | 'clock' | 'newPromptId'>) {
    this.#parts = parts;
  }

  async ask(
    watching: Watching,
    asked: { readonly question: string; readonly context: string },
  ): Promise<void> {
    const { changes, clock, newPromptId } = this.#parts;
    const { threadId, watch } = watching;
    const promptId = newPromptId();
    const options = [{ label: goOn }, { label: stopWatching }];
    const question = { ...asked, multiSelect: false, options };
    await changes.commit(threadId, (state) => {
      const createdAt = instant(clock);
      const own = askOwn(state.prompts, { id: promptId, threadId, createdAt, question, sha256 });
      return withPrompt(state, own, { ...watching, watch: { ...watch, promptId } });
    });
  }

  /** The watch as a person wants it to go on; null where it waits or is over, `nobody` where it was closed without an answer. */
  async decided(watching: Watching): Promise<Watching | 'nobody' | null> {
    const { store, changes, clock } = this.#parts;
    const { promptId, ...watch } = watching.watch;
    const prompt = promptId && (await store.query('prompt', { id: promptId }));
    if (prompt && isOpen(prompt)) return null;
    if (!prompt || prompt.acceptedAt === undefined) return 'nobody';
    const [said = stopWatching] = prompt.answers?.[0]?.answer ?? [];
    const words = said === goOn ? undefined : said;
    const next: Watching = { ...watching, watch: { ...watch, rounds: 0, ...given({ words }) } };
    const sentence = `${watching.pullRequest} is not watched any more.`;
    const stored: StoredLanding =
      said === stopWatching ? { ...watching, watch, state: 'done', sentence, endedAt: instant(clock) } : next;
    await changes.commit(watching.threadId, (state) =>
      withPrompt(state, useOwn(state.prompts, prompt, instant(clock)), stored),
    );
    return said === stopWatching ? null : next;
  }
}

function withPrompt(
  state: ThreadState,
  { changes, events, prompts }: OwnPromptChange,
  landing: StoredLanding,
) {
  return {
    operations: [...changes, { do: 'putLanding', landing } as const],
    events,
    state: { ...state, prompts },
    result: undefined,
  };
}
