import type { DispatchState } from '../protocol/dispatch.js';
import type { Outcome } from '../protocol/outcome.js';
import type { Mark } from './status-mark.js';

/** A piece of work, as far as a mark needs it. */
export interface Work {
  readonly state: DispatchState;
  readonly result?: Outcome['result'] | undefined;
}

const results = {
  succeeded: { symbol: '✓', word: 'succeeded', tone: 'good' },
  failed: { symbol: '✗', word: 'failed', tone: 'bad' },
  blocked: { symbol: '■', word: 'blocked', tone: 'ask' },
  cancelled: { symbol: '-', word: 'cancelled', tone: 'quiet' },
} as const satisfies Record<Outcome['result'], Mark>;

const states = {
  queued: { symbol: '…', word: 'queued', tone: 'quiet' },
  running: { symbol: '●', word: 'running', tone: 'work' },
  waiting: { symbol: '?', word: 'waiting', tone: 'ask' },
  ended: { symbol: '-', word: 'ended', tone: 'quiet' },
} as const satisfies Record<DispatchState, Mark>;

/** Where a piece of work stands: its result once it has one. */
export function workMark({ state, result }: Work): Mark {
  return result ? results[result] : states[state];
}
