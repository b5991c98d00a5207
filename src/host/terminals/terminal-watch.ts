import { hasLetGo } from '../../domain/thread/take-over.js';
import { findProcess } from '../../process/families/process-table.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { Store } from '../../store/store.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { Clock } from '../clock.js';
import { RepeatedLook } from '../repeated-look.js';
import type { HandBack } from './hand-back.js';
import type { TerminalService } from './terminal-service.js';

// A session that is begun and left within this time is not noticed.
const lookMs = 500;

export interface TerminalWatchParts {
  readonly store: Store;
  readonly service: TerminalService;
  readonly handBack: HandBack;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Notices terminals that have ended without a word, in the time of whichever worker, and takes their threads back. */
export class TerminalWatch implements AsyncDisposable {
  readonly #parts: TerminalWatchParts;
  readonly #looks: RepeatedLook;

  constructor(parts: TerminalWatchParts) {
    this.#parts = parts;
    this.#looks = new RepeatedLook(async () => await this.#look(), lookMs);
  }

  open(): void {
    this.#looks.open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looks[Symbol.asyncDispose]();
  }

  async #look(): Promise<void> {
    const { store, log } = this.#parts;
    try {
      const { rows } = await store.query('threads', { inTerminal: true, own: true });
      for (const thread of rows) await this.#lookAt(thread);
    } catch (error) {
      log(errorSentence(error));
    }
  }

  async #lookAt({ id, terminal }: StoredThread): Promise<void> {
    const { service, handBack, clock } = this.#parts;
    if (!terminal) return;
    const { keeper, program, openedAt } = terminal;
    const isOver = hasLetGo({
      keeperLives: findProcess(keeper) !== null,
      programLives: program && findProcess(program) !== null,
      openForMs: clock.now() - Date.parse(openedAt),
    });
    if (isOver) await handBack.take(id);
    else await service.follow(id);
  }
}
