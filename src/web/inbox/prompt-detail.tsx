import type { ReactNode } from 'react';
import { agentName } from '../../domain/words/agent-name.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { deadlineWords } from '../../domain/words/silence-words.js';
import { waitingWords } from '../../domain/words/status-words.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
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
  /** Leads to the next open prompt, if there is one. */
  readonly onNext: (() => void) | undefined;
}

/** One prompt: where it comes from, what it is about, and how it is answered. */
export function PromptDetail(props: PromptDetailProps): ReactNode {
  const { prompt, thread } = props;
  const { navigation } = useConsole();
  useKeys({ o: () => navigation.go({ page: 'thread', threadId: prompt.threadId }) });
  const isWaiting = isOpenPrompt(prompt);
  return (
    <article className="prompt" aria-label="Question or approval">
      <header className="prompt-head">
        <h2>
          <Link to={{ page: 'thread', threadId: prompt.threadId }}>
            {plainLine(thread?.title ?? '') || prompt.threadId}
          </Link>
        </h2>
        <p className="note prompt-facts">
          {thread && <span>{agentName(thread.runtime)}</span>}
          {thread && <WorkspaceName workspace={thread.workspace} />}
          <span>
            asked <Age at={prompt.createdAt} /> ago
          </span>
          {isWaiting && thread && <span>{waitingWords(thread.status)}</span>}
          {isWaiting && <Deadline prompt={prompt} />}
        </p>
      </header>
      <PromptContext prompt={prompt} />
      <PromptAnswer {...props} />
    </article>
  );
}

function Deadline({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const now = useNow(useConsole().clock);
  const words = deadlineWords(prompt, now);
  return words === '' ? null : <span>deadline {words}</span>;
}
