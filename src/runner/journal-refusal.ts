import { basename } from 'node:path';
import { LineJournal } from '../process/files/line-journal.js';
import { Failure } from '../protocol/failure.js';
import { RunId } from '../protocol/id.js';
import type { Detached } from './arguments.js';
import type { RunnerWorld } from './runner-channel.js';
import { SpooledEvents } from './spooled-events.js';

const capBytes = 2 ** 20;

/**
 * Tells the worker why a run does not begin. In the journal, because the spare that became this run has no output of its own,
 * and because an exit code is seen only by the worker that started the process.
 */
export async function journalRefusal(
  { spool }: Detached,
  error: unknown,
  { wallClock, log }: Pick<RunnerWorld, 'wallClock' | 'log'>,
): Promise<void> {
  if (!(error instanceof Failure) || !RunId.safeParse(basename(spool)).success) return;
  const journal = LineJournal.open(spool);
  const isOfAnother = journal.lastSeq > 0;
  const untold = { published: () => {}, publishedLive: () => {} };
  const events = new SpooledEvents({ journal, capBytes, now: wallClock, log, ...untold });
  if (!isOfAnother) {
    events.emit({ type: 'error', message: error.message, refusal: error.code });
    events.emit({ type: 'shutdown', reason: 'error' });
  }
  await events.close();
}
