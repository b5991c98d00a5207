import type { DispatchState } from '../../protocol/dispatch.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { Thread } from '../../protocol/thread.js';
import { type Mark, statusMark, statusMarks } from '../status/status-mark.js';
import { settlementOf } from '../thread/settlement.js';

/** A piece of work, as far as a mark needs it. */
export interface Work {
  readonly state: DispatchState;
  readonly result?: Outcome['result'] | undefined;
}

const results = {
  succeeded: { symbol: '✓', word: 'Succeeded', tone: 'good' },
  failed: { symbol: '✗', word: 'Failed', tone: 'bad' },
  blocked: { symbol: '■', word: 'Blocked', tone: 'ask' },
  cancelled: { symbol: '-', word: 'Cancelled', tone: 'quiet' },
} as const satisfies Record<Outcome['result'], Mark>;

const states = {
  queued: { symbol: '…', word: 'Queued', tone: 'quiet' },
  running: { symbol: '●', word: 'Working', tone: 'work' },
  waiting: { symbol: '?', word: 'Waiting for you', tone: 'ask' },
  ended: { symbol: '-', word: 'Ended', tone: 'quiet' },
} as const satisfies Record<DispatchState, Mark>;

const ready: Mark = { symbol: '◉', word: 'Ready to review', tone: 'good' };

const landed: Mark = { symbol: '✓', word: 'Landed', tone: 'land' };
const discarded: Mark = { symbol: '-', word: 'Discarded', tone: 'quiet' };

const waitsForQuota: Mark = { symbol: '◷', word: 'Waits for quota', tone: 'quiet' };

const taken: Mark = { symbol: '▸', word: 'In a terminal', tone: 'work' };

/** Where a piece of work stands: its result once it has one. */
export function workMark({ state, result }: Work): Mark {
  return result ? results[result] : states[state];
}

/** A status as a mark; what is only guessed is called a guess. */
function markOf(status: Thread['status']): Mark {
  const mark = statusMark(status);
  return status.confidence === 'weak' ? { ...mark, word: `${mark.word} (a guess)` } : mark;
}

/**
 * Where a thread stands, its agent and its work as one mark. Whoever asks or works comes first, then work that has not
 * begun; an agent that rests says nothing that its last work does not say better.
 */
export function threadMark({
  status,
  lastDispatch,
  settled,
  terminal,
}: Pick<Thread, 'status' | 'lastDispatch' | 'settled' | 'terminal'>): Mark {
  if (terminal) return taken;
  switch (status.state) {
    case 'question':
    case 'busy':
    case 'initializing':
      return markOf(status);
    case 'crashed':
    case 'oomKilled':
    case 'idle':
    case 'stopped':
    case 'unknown':
      break;
    default:
      return status satisfies never;
  }
  if (!lastDispatch) return statusMarks[status.state];
  if (lastDispatch.state !== 'ended') {
    if (status.state === 'unknown') return statusMarks.unknown;
    // Of a command that is only watched, nothing better is known.
    if (status.state === 'idle' && status.confidence === 'weak') return markOf(status);
    return lastDispatch.waitsFor === 'quota' ? waitsForQuota : workMark(lastDispatch);
  }
  if (status.state === 'crashed' || status.state === 'oomKilled') return statusMarks[status.state];
  const settlement = settlementOf({ settled, lastDispatch });
  if (settlement) return settlement.how === 'discard' ? discarded : landed;
  return lastDispatch.result === 'succeeded' ? ready : workMark(lastDispatch);
}
