import { age } from '../../domain/age.js';
import { money } from '../../domain/money.js';
import { plainLine } from '../../domain/plain-text.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { type CardContext, cardLines } from './card.js';
import { dispatchTable } from './dispatch-table.js';
import { promptCard } from './prompt-card.js';
import { statusCell } from './status-mark.js';

/** Everything about a thread. */
export function threadCard(
  {
    thread,
    dispatches,
    prompts,
  }: { thread: Thread; dispatches: readonly Dispatch[]; prompts: readonly Prompt[] },
  context: CardContext,
): string[] {
  const { colours, now } = context;
  const { text, paint = String } = statusCell(thread.status.state, colours);
  const { path, worktree, branch } = thread.workspace;
  const place = `${path}${worktree ? ' (worktree)' : ''}${branch === undefined ? '' : ` on ${branch}`}`;
  const { inputTokens, outputTokens, costUsd } = thread.usage;
  const card = cardLines(
    [
      ['thread', thread.id],
      ['title', plainLine(thread.title)],
      ['status', `${paint(text)} – ${plainLine(thread.status.why)}`],
      ['runtime', thread.runtime],
      ['workspace', plainLine(place)],
      ['used', `${inputTokens} tokens in, ${outputTokens} out, ${money(costUsd)}`],
      ['created', `${age(thread.createdAt, now)} ago`],
    ],
    colours,
  );
  const ids = dispatches.map(({ id }) => id);
  const table = dispatchTable(dispatches, { ids, now, width: Number.POSITIVE_INFINITY, colours });
  return [
    ...card,
    ...(dispatches.length > 0 ? ['', ...table] : []),
    ...prompts.flatMap((prompt) => ['', ...promptCard(prompt, context)]),
  ];
}
