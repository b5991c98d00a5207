import { costSoFar } from '../../domain/dispatch/cost.js';
import { triesOf } from '../../domain/dispatch/retry-policy.js';
import { age } from '../../domain/words/age.js';
import { money } from '../../domain/words/money.js';
import { outcomeSentence } from '../../domain/words/outcome-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import { shortIds } from '../../domain/words/short-id.js';
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

// More than any terminal shows; the text of work may have megabytes.
const longestCell = 1000;

/** Dispatches with how they stand. */
export function dispatchTable(dispatches: readonly Dispatch[], context: TableContext): string[] {
  const { colours, now, width } = context;
  const short = shortIds(context.ids);
  const rows = dispatches.map((dispatch) => [
    { text: short(dispatch.id) },
    workCell({ state: dispatch.state, result: dispatch.outcome?.result }, colours),
    { text: String(triesOf(dispatch.attempts)) },
    { text: age(dispatch.createdAt, now) },
    { text: money(costSoFar(dispatch)) },
    { text: plainLine(dispatch.title ?? dispatch.text, { maxLength: longestCell }) },
    {
      text: queuedWords(dispatch, now) || (dispatch.outcome ? outcomeSentence(dispatch.outcome) : ''),
      paint: colours.dim,
    },
  ]);
  return tableLines(columns, rows, { width, paintHeader: colours.dim });
}
