import { memo, type ReactNode } from 'react';
import { agentName } from '../../domain/words/agent-name.js';
import { money } from '../../domain/words/money.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { threadSentence } from '../../domain/words/thread-sentence.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useNow } from '../clock.js';
import { useConsole } from '../console-context.js';
import { Age } from '../parts/age.js';
import { Link } from '../parts/link.js';
import { ThreadMark } from '../parts/mark.js';
import { WorkspaceName } from '../parts/workspace-name.js';
import type { Place } from '../place.js';

export interface ThreadRowProps {
  readonly thread: Thread;
  /** What it asks, if it does. */
  readonly prompt: Prompt | undefined;
  /** The words that were looked for, where they stand in it. */
  readonly excerpt: string | undefined;
}

/** A thread in the list: who it is, what it does, what it cost. */
export const ThreadListRow = memo(function ThreadListRow({
  thread,
  prompt,
  excerpt,
}: ThreadRowProps): ReactNode {
  return (
    <article className="thread-row">
      <span className="thread-signs">
        <ThreadMark thread={thread} prompt={prompt} />
      </span>
      <span className="thread-words">
        <Link to={threadPlace(thread)} className="thread-title">
          {plainLine(thread.title) || thread.id}
        </Link>
        <span className="thread-activity">
          {excerpt ?? <ActivityWords thread={thread} prompt={prompt} />}
        </span>
      </span>
      <span className="thread-facts">
        {thread.name !== undefined && <span className="fact">{thread.name}</span>}
        <span className="fact">{agentName(thread.runtime)}</span>
        <WorkspaceName workspace={thread.workspace} />
      </span>
      <span className="thread-numbers">
        <span>{money(thread.usage.costUsd)}</span>
        <Age at={thread.createdAt} />
      </span>
    </article>
  );
});

/** An open question is answered in the inbox; everything else is read in the thread. */
export function threadPlace({ id, status }: Thread): Place {
  return status.state === 'question' && status.promptId !== undefined
    ? { page: 'inbox', promptId: status.promptId }
    : { page: 'thread', threadId: id };
}

function ActivityWords({ thread, prompt }: Pick<ThreadRowProps, 'thread' | 'prompt'>): ReactNode {
  return threadSentence(thread, prompt, useNow(useConsole().clock));
}
