import { statusMarks } from '../../domain/status-mark.js';
import type { AgentStatus } from '../../protocol/status.js';
import type { Colours } from '../terminal/colours.js';
import type { Cell } from '../terminal/table.js';
import { toneColours } from './tone-colours.js';

/** A status as symbol and word; colour is never the only sign. */
export function statusCell(state: AgentStatus['state'], colours: Colours): Cell {
  const { symbol, word, tone } = statusMarks[state];
  return { text: `${symbol} ${word}`, paint: colours[toneColours[tone]] };
}
