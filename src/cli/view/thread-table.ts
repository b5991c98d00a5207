import { age } from '../../domain/words/age.js';
import { modelRetryWords } from '../../domain/words/model-retry-words.js';
import { money } from '../../domain/words/money.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { queuedWords } from '../../domain/words/queued-words.js';
import { shortIds } from '../../domain/words/short-id.js';
import type { PromptId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { tableLines } from '../terminal/table.js';
import { threadCell } from './status-mark.js';
import type { TableContext } from './table-context.js';

const idColumn = { header: 'THREAD' };
const nameColumn = { header: 'NAME' };
const columns = [
  { header: 'STATUS' },
  { header: 'RUNTIME' },
  { header: 'AGE' },
  { header: 'COST' },
  { header: 'TITLE', isFlexible: true },
];
const whyColumn = { header: 'WHY', isFlexible: true };

interface ThreadContext extends TableContext {
  /** What the threads ask, as far as is known. */
  readonly prompts: ReadonlyMap<PromptId, Prompt>;
}

/** Threads, each with where its agent and its work stand. */
export function threadTable(threads: readonly Thread[], context: ThreadContext): string[] {
  const { colours, now, width, prompts } = context;
  const short = shortIds(context.ids);
  // Where nothing failed there is nothing to explain.
  const isExplained = threads.some((thread) => whyOf(thread, now) !== '');
  const isNamed = threads.some(({ name }) => name !== undefined);
  const rows = threads.map((thread) => [
    { text: short(thread.id) },
    ...(isNamed ? [{ text: thread.name ?? '' }] : []),
    threadCell(thread, colours, askedIn(thread, prompts)),
    { text: thread.runtime },
    { text: age(thread.createdAt, now) },
    { text: money(thread.usage.costUsd) },
    { text: plainLine(thread.title) },
    ...(isExplained ? [{ text: whyOf(thread, now), paint: colours.dim }] : []),
  ]);
  const shown = [idColumn, ...(isNamed ? [nameColumn] : []), ...columns, ...(isExplained ? [whyColumn] : [])];
  return tableLines(shown, rows, { width, paintHeader: colours.dim });
}

function askedIn({ status }: Thread, prompts: ThreadContext['prompts']): Prompt | undefined {
  return status.state === 'question' && status.promptId ? prompts.get(status.promptId) : undefined;
}

function whyOf({ status, lastDispatch }: Thread, now: number): string {
  if (status.state === 'busy' && status.modelRetry) return modelRetryWords(status.modelRetry);
  return lastDispatch ? queuedWords(lastDispatch, now) : '';
}
