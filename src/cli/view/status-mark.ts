import { statusMark } from '../../domain/status/status-mark.js';
import type { PromptContent } from '../../domain/words/ask-words.js';
import { promptMark } from '../../domain/words/prompt-mark.js';
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

/** Where a thread stands, its agent and its work as one mark; what it asks, where that is known. */
export function threadCell(
  thread: Pick<Thread, 'status' | 'lastDispatch' | 'terminal'>,
  colours: Colours,
  prompt?: PromptContent,
): Cell {
  const asks = prompt !== undefined && thread.status.state === 'question' && !thread.terminal;
  const { symbol, word, tone } = asks ? promptMark(prompt) : threadMark(thread);
  return { text: `${symbol} ${word}`, paint: colours[toneColours[tone]] };
}
