import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RunId } from '../protocol/id.js';

/** Where the files of runs are, below the home of one worker. */
export class RunFolders {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  /** The journal of a run; its name is the run's. */
  spool(runId: RunId): string {
    return join(this.#home, 'spools', runId);
  }

  /** Files that a run is launched with, and what it prints. */
  launch(runId: RunId): string {
    return join(this.#home, 'launches', runId);
  }

  /** Short, because a socket's path is cut at 108 bytes without a word. */
  socket(runId: RunId): string {
    const short = createHash('sha256').update(runId).digest('hex').slice(0, 16);
    return join(this.#home, 's', short);
  }
}
