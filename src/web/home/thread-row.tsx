import { memo, type ReactNode } from 'react';
import { money } from '../../domain/money.js';
import { plainLine } from '../../domain/plain-text.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { Age } from '../parts/age.js';
import { Link } from '../parts/link.js';
import { StatusMark, WorkMark } from '../parts/mark.js';
import { promptWords } from '../parts/prompt-words.js';
import { WorkspaceName } from '../parts/workspace-name.js';
import type { Place } from '../place.js';

export interface ThreadRowProps {
  readonly thread: Thread;
  /** What it asks, if it does. */
  readonly prompt: Prompt | undefined;
}

/** A thread in the list: who it is, what it does, what it cost. */
export const ThreadRow = memo(function ThreadRow({ thread, prompt }: ThreadRowProps): ReactNode {
  const { status, lastDispatch } = thread;
  const isQueued = lastDispatch?.state === 'queued' && status.state === 'stopped';
  return (
    <article className="thread-row">
      <span className="thread-signs">
        {!isQueued && <StatusMark state={status.state} />}
        {lastDispatch && (isQueued || lastDispatch.state === 'ended') && <WorkMark work={lastDispatch} />}
      </span>
      <span className="thread-words">
        <Link to={placeOf(thread)} className="thread-title">
          {plainLine(thread.title) || thread.id}
        </Link>
        <span className="thread-activity">{activityOf(thread, prompt)}</span>
      </span>
      <span className="thread-facts">
        <span className="fact">{thread.runtime}</span>
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
export function placeOf({ id, status }: Thread): Place {
  return status.state === 'question' && status.promptId !== undefined
    ? { page: 'inbox', promptId: status.promptId }
    : { page: 'thread', threadId: id };
}

function activityOf({ status, activity }: Thread, prompt: Prompt | undefined): string {
  switch (status.state) {
    case 'question':
      return prompt ? promptWords(prompt) : plainLine(status.prompt ?? status.why);
    case 'busy':
    case 'initializing':
      return plainLine(activity ?? status.why);
    default:
      return plainLine(status.why);
  }
}
