import { age } from '../../domain/age.js';
import { money } from '../../domain/money.js';
import { plainLine } from '../../domain/plain-text.js';
import { shortIds } from '../../domain/short-id.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { tableLines } from '../terminal/table.js';
import { workCell } from './result-mark.js';
import type { TableContext } from './table-context.js';

const columns = [
  { header: 'DISPATCH' },
  { header: 'STATE' },
  { header: 'TRIES' },
  { header: 'AGE' },
  { header: 'COST' },
  { header: 'TITLE', isFlexible: true },
  { header: 'WHY', isFlexible: true },
];

/** Dispatches with how they stand. */
export function dispatchTable(dispatches: readonly Dispatch[], context: TableContext): string[] {
  const { colours, now, width } = context;
  const short = shortIds(context.ids);
  const rows = dispatches.map((dispatch) => [
    { text: short(dispatch.id) },
    workCell({ state: dispatch.state, result: dispatch.outcome?.result }, colours),
    { text: String(dispatch.attempts.length) },
    { text: age(dispatch.createdAt, now) },
    { text: money(dispatch.outcome?.costUsd) },
    { text: plainLine(dispatch.title ?? dispatch.text) },
    { text: plainLine(dispatch.why ?? dispatch.outcome?.reason ?? ''), paint: colours.dim },
  ]);
  return tableLines(columns, rows, { width, paintHeader: colours.dim });
}
