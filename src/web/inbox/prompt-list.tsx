import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { statusMarks } from '../../domain/status/status-mark.js';
import { hiddenCharacters, hiddenWords } from '../../domain/words/marked-text.js';
import { shortPlace } from '../../domain/words/place-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { promptKind, promptWords } from '../../domain/words/prompt-words.js';
import { settlementWords } from '../../domain/words/settlement-words.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { PromptId, ThreadId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { Age } from '../parts/age.js';
import { Link } from '../parts/link.js';
import { MarkView } from '../parts/mark.js';

const entryHeight = 76;

/** A line of the inbox: the oldest of equal prompts, and how many they are. */
export interface PromptEntry {
  readonly prompt: Prompt;
  readonly count: number;
}

/** Open prompts, the oldest first, then those that were settled while the console looked. */
export function PromptList({
  entries,
  threads,
  chosen,
}: {
  readonly entries: readonly PromptEntry[];
  readonly threads: ReadonlyMap<ThreadId, Thread>;
  readonly chosen: PromptId | undefined;
}): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => entryHeight,
    getItemKey: (index) => entries[index]?.prompt.id ?? index,
    overscan: 6,
  });
  const place = entries.findIndex(({ prompt }) => prompt.id === chosen);
  useEffect(() => {
    if (place >= 0) virtualizer.scrollToIndex(place);
  }, [virtualizer, place]);
  return (
    <nav ref={scroller} className="scroller prompt-list" aria-label="Questions and approvals">
      <div role="list" className="virtual" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const entry = entries[index];
          if (!entry) return null;
          const { prompt, count } = entry;
          return (
            <div
              role="listitem"
              key={key}
              className="virtual-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Link
                to={{ page: 'inbox', promptId: prompt.id }}
                className={isOpenPrompt(prompt) ? 'prompt-entry' : 'prompt-entry is-settled'}
                aria-current={prompt.id === chosen ? 'true' : undefined}
              >
                <span className="prompt-entry-head">
                  <PromptMark prompt={prompt} />
                  {count > 1 && <span className="count">×{count}</span>}
                  <HiddenSign prompt={prompt} />
                  <ProjectName thread={threads.get(prompt.threadId)} />
                  <Age at={prompt.createdAt} />
                </span>
                <span className="prompt-entry-words">
                  {promptWords(prompt, threads.get(prompt.threadId))}
                </span>
                <span className="prompt-entry-thread">
                  {isOpenPrompt(prompt)
                    ? plainLine(threads.get(prompt.threadId)?.title ?? '')
                    : settledWords(prompt)}
                </span>
              </Link>
            </div>
          );
        })}
      </div>
    </nav>
  );
}

/** The same chip as in every other list; what is settled needs nobody. */
function PromptMark({ prompt }: { readonly prompt: Prompt }): ReactNode {
  const tone = isOpenPrompt(prompt) ? 'ask' : 'quiet';
  return <MarkView mark={{ ...statusMarks.question, word: promptKind(prompt), tone }} />;
}

function ProjectName({ thread }: { readonly thread: Thread | undefined }): ReactNode {
  return thread ? <span className="prompt-entry-project">{shortPlace(thread.workspace)}</span> : null;
}

// A list is drawn with every change of the overview, and an action may have megabytes.
const hiddenIn = new WeakMap<object, string>();

/** A small sign for an action with characters that nobody sees. */
function HiddenSign({ prompt: { action } }: { readonly prompt: Prompt }): ReactNode {
  if (!action) return null;
  const words = hiddenIn.get(action) ?? hiddenWords(hiddenCharacters(action));
  hiddenIn.set(action, words);
  if (words === '') return null;
  return (
    <span className="hidden-sign" role="img" aria-label={words} title={words}>
      ⚠
    </span>
  );
}

function settledWords(prompt: Prompt): string {
  const { acceptedAt, deliveredAt, consumedAt } = prompt;
  const steps = [acceptedAt && 'accepted', deliveredAt && 'delivered', consumedAt && 'consumed'];
  const receipts = steps.filter((step) => step !== undefined).join(' → ');
  return `${settlementWords(prompt)}${receipts === '' ? '' : ` (${receipts})`}`;
}
