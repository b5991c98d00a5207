import { plainLine } from '../../domain/words/plain-text.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { replaceDeadWorker } from '../background-worker.js';

/** Starts a worker again when the one that was spoken to has died; one start at a time, and each problem is told once. */
export class WorkerReplacement {
  readonly #tell: (words: string) => void;
  #isUnderWay = false;
  #told = '';

  constructor(tell: (words: string) => void) {
    this.#tell = tell;
  }

  begin(): void {
    if (!this.#isUnderWay) void this.#replace();
  }

  async #replace(): Promise<void> {
    this.#isUnderWay = true;
    try {
      await replaceDeadWorker(this.#tell);
    } catch (error) {
      const problem = plainLine(errorSentence(error));
      if (problem !== this.#told) this.#tell(problem);
      this.#told = problem;
    } finally {
      this.#isUnderWay = false;
    }
  }
}
