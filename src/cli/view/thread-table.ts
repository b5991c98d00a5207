import { age } from '../../domain/age.js';
import { money } from '../../domain/money.js';
import { plainLine } from '../../domain/plain-text.js';
import { shortIds } from '../../domain/short-id.js';
import type { Thread } from '../../protocol/thread.js';
import { tableLines } from '../terminal/table.js';
import { workCell } from './result-mark.js';
import { statusCell } from './status-mark.js';
import type { TableContext } from './table-context.js';

const columns = [
  { header: 'THREAD' },
  { header: 'STATUS' },
  { header: 'WORK' },
  { header: 'RUNTIME' },
  { header: 'AGE' },
  { header: 'COST' },
  { header: 'TITLE', isFlexible: true },
];

/** Threads with what their agents do and how their last work stands. */
export function threadTable(threads: readonly Thread[], context: TableContext): string[] {
  const { colours, now, width } = context;
  const short = shortIds(context.ids);
  const rows = threads.map((thread) => [
    { text: short(thread.id) },
    statusCell(thread.status.state, colours),
    thread.lastDispatch ? workCell(thread.lastDispatch, colours) : { text: '' },
    { text: thread.runtime },
    { text: age(thread.createdAt, now) },
    { text: money(thread.usage.costUsd) },
    { text: plainLine(thread.title) },
  ]);
  return tableLines(columns, rows, { width, paintHeader: colours.dim });
}
