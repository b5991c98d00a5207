import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RunId } from '../../protocol/id.js';

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

  /** Removes what was left of runs that are over, by a worker that was killed before it had tidied up. */
  tidy(live: readonly RunId[]): void {
    const runs = new Set<string>(live);
    const sockets = new Set(live.map((runId) => basename(this.socket(runId))));
    const isLive = { spools: runs, launches: runs, s: sockets };
    for (const [folder, names] of Object.entries(isLive)) {
      for (const name of namesIn(join(this.#home, folder)))
        if (!names.has(name)) rmSync(join(this.#home, folder, name), { recursive: true, force: true });
    }
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
