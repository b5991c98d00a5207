import type { AgentStatus } from '../../protocol/status.js';
import type { Colours } from '../terminal/colours.js';
import type { Cell } from '../terminal/table.js';

type State = AgentStatus['state'];

const marks = {
  initializing: { symbol: '◌', word: 'starting', colour: 'cyan' },
  idle: { symbol: '○', word: 'idle', colour: 'orange' },
  busy: { symbol: '●', word: 'busy', colour: 'green' },
  question: { symbol: '?', word: 'question', colour: 'yellow' },
  crashed: { symbol: '✗', word: 'crashed', colour: 'red' },
  oomKilled: { symbol: '✗', word: 'out of memory', colour: 'red' },
  stopped: { symbol: '·', word: 'stopped', colour: 'dim' },
  unknown: { symbol: '~', word: 'unknown', colour: 'dim' },
} as const satisfies Record<State, { symbol: string; word: string; colour: keyof Colours }>;

/** A status as symbol and word; colour is never the only sign. */
export function statusCell(state: State, colours: Colours): Cell {
  const { symbol, word, colour } = marks[state];
  return { text: `${symbol} ${word}`, paint: colours[colour] };
}
