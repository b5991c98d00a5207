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
import { Diffstat } from '../parts/diffstat.js';
import { Link } from '../parts/link.js';
import { ThreadMark } from '../parts/mark.js';
import { useChangeSummary } from '../parts/use-change-summary.js';
import { WorkspaceName } from '../parts/workspace-name.js';
import type { Place } from '../place.js';
import { since } from './filter.js';

export interface ThreadRowProps {
  readonly thread: Thread;
  /** What it asks, if it does. */
  readonly prompt: Prompt | undefined;
  /** The words that were looked for, where they stand in it. */
  readonly excerpt: string | undefined;
  /** How many threads of the list ask the same. */
  readonly sameIn: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: Thread['id']) => void;
  /** Whether it can be answered here, and whether that is open. */
  readonly peek: 'none' | 'closed' | 'open';
  readonly onPeek: (id: Thread['id']) => void;
}

/** A thread in the list: where it stands, what it does, what it changed and cost, how long somebody waits. */
export const ThreadListRow = memo(function ThreadListRow({
  thread,
  prompt,
  excerpt,
  sameIn,
  isSelected,
  onSelect,
  peek,
  onPeek,
}: ThreadRowProps): ReactNode {
  const changes = useChangeSummary(thread, { isWanted: thread.lastDispatch !== undefined });
  const title = plainLine(thread.title) || thread.id;
  const isAsking = thread.status.state === 'question';
  // Until when it waits is what a person looks for here; a long title leaves room for it.
  const waitsForQuota = excerpt === undefined && thread.lastDispatch?.waitsFor === 'quota';
  return (
    <article className={isSelected ? 'thread-row is-selected' : 'thread-row'}>
      <label className="thread-tick">
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={isSelected}
          onChange={() => onSelect(thread.id)}
        />
      </label>
      <span className="thread-signs">
        <ThreadMark thread={thread} prompt={prompt} />
      </span>
      <span className="thread-words">
        <Link to={threadPlace(thread)} className="thread-title">
          {title}
        </Link>
        {sameIn > 1 && <span className="mark tone-quiet same-in">same in {sameIn}</span>}
        <span className={waitsForQuota ? 'thread-activity is-whole' : 'thread-activity'}>
          {excerpt ?? <ActivityWords thread={thread} prompt={prompt} />}
        </span>
        {peek !== 'none' && (
          <button
            type="button"
            className="thread-answer"
            aria-label={`Answer ${title}`}
            aria-expanded={peek === 'open'}
            onClick={() => onPeek(thread.id)}
          >
            Answer
          </button>
        )}
      </span>
      <span className="thread-facts">
        {thread.name !== undefined && <span className="fact">{thread.name}</span>}
        <span className="fact thread-agent">{agentName(thread.runtime)}</span>
        <WorkspaceName workspace={thread.workspace} />
      </span>
      <span className="thread-numbers">
        {changes && changes.totals.files > 0 ? <Diffstat {...changes.totals} /> : <span />}
        <span className="thread-cost">{money(thread.usage.costUsd)}</span>
        <span className={isAsking ? 'thread-wait is-asking' : 'thread-wait'}>
          <Age at={since(thread)} />
        </span>
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
