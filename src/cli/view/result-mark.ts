import type { DispatchState } from '../../protocol/dispatch.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { Colours } from '../terminal/colours.js';
import type { Cell } from '../terminal/table.js';

const results = {
  succeeded: { symbol: '✓', colour: 'green' },
  failed: { symbol: '✗', colour: 'red' },
  blocked: { symbol: '■', colour: 'yellow' },
  cancelled: { symbol: '-', colour: 'dim' },
} as const satisfies Record<Outcome['result'], { symbol: string; colour: keyof Colours }>;

const states = {
  queued: { symbol: '…', colour: 'dim' },
  running: { symbol: '●', colour: 'green' },
  waiting: { symbol: '?', colour: 'yellow' },
  ended: { symbol: '-', colour: 'dim' },
} as const satisfies Record<DispatchState, { symbol: string; colour: keyof Colours }>;

/** Where a piece of work stands: its result once it has one. */
export function workCell(
  work: { readonly state: DispatchState; readonly result?: Outcome['result'] | undefined },
  colours: Colours,
): Cell {
  const word = work.result ?? work.state;
  const { symbol, colour } = work.result ? results[work.result] : states[work.state];
  return { text: `${symbol} ${word}`, paint: colours[colour] };
}
