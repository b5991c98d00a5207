import { alike } from '../../domain/prompts/alike.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { shortIds } from '../../domain/words/short-id.js';
import { waitingWords } from '../../domain/words/status-words.js';
import type { PromptId, ThreadId } from '../../protocol/id.js';
import type { Precedent } from '../../protocol/precedent.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import type { CardContext } from './card.js';
import { promptCard } from './prompt-card.js';

/** Open prompts with the threads that ask them. */
export interface Inbox {
  /** The oldest first. */
  readonly prompts: readonly Prompt[];
  readonly threads: ReadonlyMap<ThreadId, Thread>;
  /** What was answered before to prompts like these. */
  readonly precedents?: ReadonlyMap<PromptId, readonly Precedent[]>;
}

/** Approvals first, because an agent does nothing else meanwhile; equal prompts stand together, so that one answer serves them. */
export function inboxView({ prompts, threads, precedents }: Inbox, context: CardContext): string[] {
  const short = shortIds([...prompts.map(({ id }) => id), ...prompts.map(({ threadId }) => threadId)]);
  const name = ({ threadId }: Prompt) =>
    `${short(threadId)} ${plainLine(threads.get(threadId)?.title ?? '')}`.trimEnd();
  const section = (heading: string, chosen: readonly Prompt[]) =>
    chosen.length === 0
      ? []
      : [
          context.colours.bold(`${heading} (${chosen.length})`),
          ...alike(chosen).flatMap(([first, ...others]) => [
            '',
            ...promptCard(first, context, {
              id: short(first.id),
              thread: name(first),
              agent: agentWords(threads.get(first.threadId)),
              asker: threads.get(first.threadId),
              before: precedents?.get(first.id) ?? [],
              alike: others.map((other) => `${short(other.id)}   ${name(other)}`),
            }),
          ]),
        ];
  const approvals = section('Approvals', prompts.filter(isApproval));
  const questions = section(
    'Questions',
    prompts.filter((prompt) => !isApproval(prompt)),
  );
  return approvals.length > 0 && questions.length > 0
    ? [...approvals, '', ...questions]
    : [...approvals, ...questions];
}

function agentWords(thread: Thread | undefined): string {
  return thread ? waitingWords(thread.status) : '';
}

function isApproval({ kind }: Prompt): boolean {
  return kind === 'approval';
}
