import './thread-rail.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { longestSearch } from '../../domain/thread/search-words.js';
import { turnHead } from '../../domain/thread/turn-group.js';
import { shortPlace } from '../../domain/words/place-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { promptWords } from '../../domain/words/prompt-words.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import type { Thread } from '../../protocol/thread.js';
import { useMinute } from '../clock.js';
import { useConsole } from '../console-context.js';
import { askedIn } from '../home/asked-in.js';
import { type FilteredLine, linesOf, noFilter, since } from '../home/filter.js';
import { useKeys } from '../keys/use-keys.js';
import { useOverview } from '../overview/use-overview.js';
import { Age } from '../parts/age.js';
import { Link } from '../parts/link.js';
import { ThreadMark } from '../parts/mark.js';

const groupHeight = 32;
const rowHeight = 52;
const askingHeight = 72;

/** Every thread beside the one that is open: whoever needs a person first. */
export function ThreadRail({ current }: { readonly current: ThreadId }): ReactNode {
  const { overview, clock } = useConsole();
  const { threads, prompts } = useOverview(overview);
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const now = useMinute(clock);
  const lines = useMemo(
    () => linesOf(threads.values(), { ...noFilter, text: wanted }, { now }),
    [threads, wanted, now],
  );
  const field = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(lines[index]),
    getItemKey: (index) => keyOf(lines[index]),
    overscan: 6,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, lines]);
  const place = lines.findIndex((line) => line.kind === 'thread' && line.thread.id === current);
  const isThere = place >= 0;
  // Once, when it is opened; what a person scrolls to afterwards stays.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place changes with every line above it
  useEffect(() => {
    if (isThere) virtualizer.scrollToIndex(place, { align: 'auto' });
  }, [virtualizer, current, isThere]);
  useKeys({ '/': () => field.current?.focus() });
  return (
    <nav className="rail" aria-label="Threads">
      <div className="rail-search">
        <input
          ref={field}
          type="search"
          aria-label="Filter threads"
          aria-keyshortcuts="/"
          placeholder="Filter threads"
          maxLength={longestSearch}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </div>
      <div ref={scroller} className="scroller" data-testid="rail">
        {lines.length === 0 && <p className="note rail-empty">No work matches this filter.</p>}
        <div role="list" className="virtual" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <div
                role="listitem"
                key={key}
                className="virtual-line"
                style={{ transform: `translateY(${start}px)`, height: size }}
              >
                {line.kind === 'group' ? (
                  <h2 className={`rail-head group-${line.group.replaceAll(' ', '-')}`}>
                    {turnHead(line.group)} <span className="group-count">{line.count}</span>
                  </h2>
                ) : (
                  <RailRow
                    thread={line.thread}
                    prompt={askedIn(line.thread, prompts)}
                    isCurrent={line.thread.id === current}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </nav>
  );
}

const RailRow = memo(function RailRow({
  thread,
  prompt,
  isCurrent,
}: {
  readonly thread: Thread;
  readonly prompt: Prompt | undefined;
  readonly isCurrent: boolean;
}): ReactNode {
  const isAsking = thread.status.state === 'question';
  return (
    <Link
      to={{ page: 'thread', threadId: thread.id }}
      className="rail-row"
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span className="rail-facts">
        <ThreadMark thread={thread} prompt={prompt} />
        <span className="rail-project">{shortPlace(thread.workspace)}</span>
        <span className={isAsking ? 'rail-age is-asking' : 'rail-age'}>
          <Age at={since(thread)} />
        </span>
      </span>
      <span className="rail-title">{plainLine(thread.title) || thread.id}</span>
      {isAsking && (
        <span className="rail-asked">
          {prompt ? promptWords(prompt, thread) : plainLine(thread.status.why)}
        </span>
      )}
    </Link>
  );
});

function heightOf(line: FilteredLine | undefined): number {
  if (line?.kind !== 'thread') return groupHeight;
  return line.thread.status.state === 'question' ? askingHeight : rowHeight;
}

function keyOf(line: FilteredLine | undefined): string {
  if (!line) return '';
  return line.kind === 'group' ? line.group : line.thread.id;
}
