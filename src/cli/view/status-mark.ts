import { statusMark } from '../../domain/status/status-mark.js';
import { threadMark } from '../../domain/words/work-mark.js';
import type { AgentStatus } from '../../protocol/status.js';
import type { Thread } from '../../protocol/thread.js';
import type { Colours } from '../terminal/colours.js';
import type { Cell } from '../terminal/table.js';
import { toneColours } from './tone-colours.js';

/** A status as symbol and word; colour is never the only sign. */
export function statusCell(status: AgentStatus, colours: Colours): Cell {
  const { symbol, word, tone } = statusMark(status);
  return { text: `${symbol} ${word}`, paint: colours[toneColours[tone]] };
}

/** Where a thread stands, its agent and its work as one mark. */
export function threadCell(
  thread: Pick<Thread, 'status' | 'lastDispatch' | 'terminal'>,
  colours: Colours,
): Cell {
  const { symbol, word, tone } = threadMark(thread);
  return { text: `${symbol} ${word}`, paint: colours[toneColours[tone]] };
}
