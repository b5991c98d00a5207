import { amountWords } from '../../domain/dispatch/budget.js';
import { actorWords } from '../../domain/words/actor-words.js';
import { age } from '../../domain/words/age.js';
import { containerWords } from '../../domain/words/container-words.js';
import { markedLine } from '../../domain/words/marked-text.js';
import { money } from '../../domain/words/money.js';
import { workPlace } from '../../domain/words/place-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { statusWords } from '../../domain/words/status-words.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import type { Grant } from '../../protocol/grant.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { type CardContext, cardLines } from './card.js';
import { dispatchTable } from './dispatch-table.js';
import { promptCard } from './prompt-card.js';
import { threadCell } from './status-mark.js';

/** Everything about a thread. */
export function threadCard(
  {
    thread,
    dispatches,
    prompts,
    grants,
  }: {
    thread: Thread;
    dispatches: readonly Dispatch[];
    prompts: readonly Prompt[];
    grants: readonly Grant[];
  },
  context: CardContext,
): string[] {
  const { colours, now } = context;
  const { text, paint = String } = threadCell(thread, colours);
  const { inputTokens, outputTokens, costUsd } = thread.usage;
  const card = cardLines(
    [
      ['thread', thread.id],
      ['name', thread.name],
      ['title', plainLine(thread.title)],
      ['status', `${paint(text)} – ${statusWords(thread.status)}`],
      [
        'terminal',
        thread.terminal &&
          `opened by ${actorWords(thread.terminal.openedBy)}, ${age(thread.terminal.openedAt, now)} ago; work and messages wait until it is left`,
      ],
      ['runtime', thread.runtime],
      ['workspace', workPlace(thread.workspace)],
      ['pushed', thread.workspace.pushed && plainLine(`to ${thread.workspace.pushed.branch}`)],
      ['container', thread.container && containerWords(thread.container)],
      ['usage', `${inputTokens} tokens in, ${outputTokens} out, ${money(costUsd)}`],
      ['budget', thread.budget && amountWords(thread.budget)],
      ['created', `${age(thread.createdAt, now)} ago`],
      [
        'events',
        thread.eventsIn && `in ${thread.eventsIn}; to read them: handraise import ${thread.eventsIn}`,
      ],
      ['archived', thread.archivedAt && `${age(thread.archivedAt, now)} ago`],
    ],
    colours,
  );
  const ids = dispatches.map(({ id }) => id);
  const table = dispatchTable(dispatches, { ids, now, width: Number.POSITIVE_INFINITY, colours });
  return [
    ...card,
    ...(dispatches.length > 0 ? ['', ...table] : []),
    ...(grants.length > 0 ? ['', ...grants.flatMap((grant) => grantLines(grant, context))] : []),
    ...prompts.flatMap((prompt) => ['', ...promptCard(prompt, context, { asker: thread })]),
  ];
}

/** An approval for the whole thread: exactly what it covers, and how it is taken back. */
function grantLines({ promptId, tool, input, actor, createdAt }: Grant, { now }: CardContext): string[] {
  return [
    `approved for this thread by ${actorWords(actor)}, ${age(createdAt, now)} ago: ${markedLine(tool)} ${markedLine(JSON.stringify(input))}`,
    `  to be asked again: handraise withdraw ${promptId}`,
  ];
}
