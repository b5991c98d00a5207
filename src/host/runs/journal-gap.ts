import { Failure } from '../../protocol/failure.js';
import type { StoredRun } from '../../store/stored-run.js';

/** Thrown when events of a run are missing from what its runner kept; what comes after them cannot be recorded. */
export class JournalGap extends Failure {
  constructor({ id, lastRunSeq }: Pick<StoredRun, 'id' | 'lastRunSeq'>) {
    super('internal', `Events of ${id} have a gap after ${lastRunSeq}.`);
  }
}

/** What a thread is told of it. */
export const gapNotice =
  'Some of what the agent did is missing from the journal of its runner, so the worker cannot follow it any further. The run is closed with what is known, and work that was under way is tried again.';
