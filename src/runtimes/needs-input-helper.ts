import { placeOverlay, removeOverlay } from '../process/files/overlay-file.js';
import { errorSentence } from '../protocol/error-sentence.js';
import { needsInputPath, noHelperVariable } from '../protocol/needs-input.js';
import { keepOutOfStatus } from '../workspace-tools/git-exclude.js';
import type { Launch } from './runtime.js';

/** A file that teaches an agent to ask by file; `path` is relative to the workspace. */
export interface Lesson {
  readonly path: string;
  readonly text: string;
}

/** Has a lesson in the workspace for the time of a run, and keeps it and the needs-input file out of `git status`. */
export class NeedsInputHelper implements Disposable {
  /** Settles when git ignores both, with what could not be done. */
  readonly ready: Promise<string | undefined>;
  readonly #cwd: string;
  readonly #lesson: Lesson | undefined;

  constructor({ cwd, env }: Pick<Launch, 'cwd' | 'env'>, lesson?: Lesson) {
    this.#cwd = cwd;
    this.#lesson = lesson;
    const isWanted = lesson !== undefined && env[noHelperVariable] !== 'true';
    const problem = isWanted ? placeOverlay({ root: cwd, path: lesson.path }, lesson.text) : undefined;
    const files = [needsInputPath, ...(isWanted ? [lesson.path] : [])];
    this.ready = keepOutOfStatus({ cwd, env }, files).then((shown) => shown ?? problem, errorSentence);
  }

  [Symbol.dispose](): void {
    if (this.#lesson) removeOverlay({ root: this.#cwd, path: this.#lesson.path });
  }
}
