import type { ReactNode } from 'react';
import { until } from '../../domain/age.js';
import { plainLine } from '../../domain/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useNow } from '../clock.js';
import { useKeys } from '../keys/use-keys.js';
import { useOutside } from '../outside.js';
import { isOpen } from '../overview/overview.js';
import { Age } from '../parts/age.js';
import { Link } from '../parts/link.js';
import { WorkspaceName } from '../parts/workspace-name.js';
import { PromptAnswer } from './prompt-answer.js';
import { PromptContext } from './prompt-context.js';

export interface PromptDetailProps {
  readonly prompt: Prompt;
  readonly thread: Thread | undefined;
  /** Other open prompts that are the same. */
  readonly equals: readonly Prompt[];
  readonly onAnswered: () => void;
}

/** One prompt: where it comes from, what it is about, and how it is answered. */
export function PromptDetail({ prompt, thread, equals, onAnswered }: PromptDetailProps): ReactNode {
  const { navigation } = useOutside();
  useKeys({ o: () => navigation.go({ page: 'thread', threadId: prompt.threadId }) });
  const isWaiting = isOpen(prompt);
  return (
    <article className="prompt" aria-label="Prompt">
      <header className="prompt-head">
        <h2>
          <Link to={{ page: 'thread', threadId: prompt.threadId }}>
            {plainLine(thread?.title ?? '') || prompt.threadId}
          </Link>
        </h2>
        <p className="note prompt-facts">
          <span>{thread?.runtime}</span>
          {thread && <WorkspaceName workspace={thread.workspace} />}
          <span>
            asked <Age at={prompt.createdAt} /> ago
          </span>
          {isWaiting && <span>{agentWords(thread)}</span>}
          {isWaiting && <Deadline prompt={prompt} />}
        </p>
      </header>
      <PromptContext prompt={prompt} />
      <PromptAnswer prompt={prompt} thread={thread} equals={equals} onAnswered={onAnswered} />
    </article>
  );
}

function Deadline({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const now = useNow(useOutside().clock);
  if (prompt.deadline === undefined) return null;
  return (
    <span>
      {until(prompt.deadline, now)}, then {prompt.onUnanswered.replace('_', ' ')}
    </span>
  );
}

function agentWords(thread: Thread | undefined): string {
  if (thread?.status.state !== 'question') return '';
  return thread.status.held ? 'held: its process waits' : plainLine(thread.status.why);
}
