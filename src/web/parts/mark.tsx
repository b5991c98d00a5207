import type { ReactNode } from 'react';
import type { Mark } from '../../domain/status/status-mark.js';
import { promptKind } from '../../domain/words/prompt-words.js';
import { threadMark, type Work, workMark } from '../../domain/words/work-mark.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { MarkIcon } from './mark-icon.js';

/** A sign with colour, symbol and word. */
export function MarkView({ mark }: { readonly mark: Mark }): ReactNode {
  return (
    <span className={`mark tone-${mark.tone}`}>
      <MarkIcon mark={mark} />
      {mark.word}
    </span>
  );
}

/** Where a thread stands, its agent and its work as one mark. */
export function ThreadMark({
  thread,
  prompt,
}: {
  readonly thread: Thread;
  /** What it asks, if it does and that is known. */
  readonly prompt?: Prompt | undefined;
}): ReactNode {
  const mark = threadMark(thread);
  return <MarkView mark={prompt ? { ...mark, word: promptKind(prompt) } : mark} />;
}

export function WorkMark({ work }: { readonly work: Work }): ReactNode {
  return <MarkView mark={workMark(work)} />;
}
