import { type Work, workMark } from '../../domain/words/work-mark.js';
import type { Colours } from '../terminal/colours.js';
import type { Cell } from '../terminal/table.js';
import { toneColours } from './tone-colours.js';

/** Where a piece of work stands: its result once it has one. */
export function workCell(work: Work, colours: Colours): Cell {
  const { symbol, word, tone } = workMark(work);
  return { text: `${symbol} ${word}`, paint: colours[toneColours[tone]] };
}
