import { age } from '../../domain/words/age.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { shortIds } from '../../domain/words/short-id.js';
import type { Thread } from '../../protocol/thread.js';
import type { ThreadMatch } from '../../protocol/thread-query.js';
import { fitLine } from '../terminal/fit.js';
import { threadCell } from './status-mark.js';
import type { TableContext } from './table-context.js';

/** What a search found: each thread, and below it the words where they stand. */
export function foundLines(
  threads: readonly Thread[],
  matches: readonly ThreadMatch[],
  { ids, now, width, colours }: TableContext,
): string[] {
  const short = shortIds(ids);
  const found = new Map(matches.map((match) => [match.threadId, match]));
  return threads.flatMap((thread) => {
    const { text, paint = String } = threadCell(thread, colours);
    const name = thread.name === undefined ? '' : `${thread.name}  `;
    const head = colours.bold(fitLine(`${name}${plainLine(thread.title)}`, width));
    const facts = `  ${short(thread.id)}  ${paint(text)}  ${age(thread.createdAt, now)}`;
    const match = found.get(thread.id);
    const excerpt = match?.seq === undefined ? [] : [`  ${fitLine(plainLine(match.excerpt), width - 2)}`];
    return [head, facts, ...excerpt];
  });
}
