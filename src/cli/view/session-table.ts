import { age } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { FoundSession } from '../../protocol/terminal.js';
import { tableLines } from '../terminal/table.js';
import type { TableContext } from './table-context.js';

const columns = [
  { header: 'SESSION' },
  { header: 'RUNTIME' },
  { header: 'CHANGED' },
  { header: 'FOLDER', isFlexible: true },
  { header: 'BEGINS WITH', isFlexible: true },
];

/** Sessions that were started by hand; one that is open somewhere cannot be adopted. */
export function sessionTable(
  sessions: readonly FoundSession[],
  { now, width, colours }: Omit<TableContext, 'ids'>,
): string[] {
  const rows = sessions.map((session) => [
    { text: plainLine(session.sessionId) },
    { text: session.runtime },
    {
      text:
        session.openIn === undefined ? `${age(session.changedAt, now)} ago` : `open (pid ${session.openIn})`,
    },
    { text: plainLine(session.workspace) },
    { text: plainLine(session.title) },
  ]);
  return tableLines(columns, rows, { width, paintHeader: colours.dim });
}
