import { age } from '../../domain/words/age.js';
import { observedWords } from '../../domain/words/observed-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { ObservedSession } from '../../protocol/observed.js';
import { tableLines } from '../terminal/table.js';
import { statusCell } from './status-mark.js';
import type { TableContext } from './table-context.js';

const columns = [
  { header: 'OBSERVED' },
  { header: 'STATUS' },
  { header: 'RUNTIME' },
  { header: 'SINCE' },
  { header: 'TITLE', isFlexible: true },
  { header: 'WHY', isFlexible: true },
];

/** Agents that somebody started by hand: by the id of their session, or by their process. */
export function observedTable(
  sessions: readonly ObservedSession[],
  { now, width, colours }: Omit<TableContext, 'ids'>,
): string[] {
  const rows = sessions.map((session) => [
    { text: plainLine(session.sessionId?.slice(0, 13) ?? (session.pid ? `pid ${session.pid}` : 'by hand')) },
    statusCell(session.status, colours),
    { text: session.runtime },
    { text: age(session.changedAt, now) },
    { text: plainLine(session.title || session.workspace || '') },
    { text: observedWords(session), paint: colours.dim },
  ]);
  return tableLines(columns, rows, { width, paintHeader: colours.dim });
}
