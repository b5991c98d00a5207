import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { turnHead } from '../../domain/thread/turn-group.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { useOverview } from '../overview/use-overview.js';
import type { FilteredLine } from './filter.js';
import { askedIn, ThreadListRow, threadPlace } from './thread-row.js';
import type { Selection } from './use-selection.js';

const groupHeight = 40;
const rowHeight = 44;
const narrowRowHeight = 92;
const narrow = matchMedia('(max-width: 720px)');

/** Threads in their groups; only the lines on the screen are in the document, whatever the length. */
export function ThreadList({
  lines,
  selection,
}: {
  readonly lines: readonly FilteredLine[];
  readonly selection: Selection;
}): ReactNode {
  const { navigation, overview } = useConsole();
  const { prompts } = useOverview(overview);
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) =>
      lines[index]?.kind === 'group' ? groupHeight : narrow.matches ? narrowRowHeight : rowHeight,
    getItemKey: (index) => keyOf(lines[index]),
    overscan: 6,
  });
  useEffect(() => {
    const measure = () => virtualizer.measure();
    narrow.addEventListener('change', measure);
    return () => narrow.removeEventListener('change', measure);
  }, [virtualizer]);
  // A line that becomes another kind has another height.
  useEffect(() => virtualizer.measure(), [virtualizer, lines]);

  const move = (step: number) => {
    const threads = lines.flatMap((line, index) =>
      line.kind === 'thread' ? [{ id: line.thread.id, index }] : [],
    );
    const now = threads.findIndex(({ id }) => id === chosen);
    const next = threads[Math.min(Math.max(now + step, 0), threads.length - 1)];
    if (!next) return;
    setChosen(next.id);
    virtualizer.scrollToIndex(next.index);
  };
  useKeys({ j: () => move(1), k: () => move(-1) }, { isRepeating: true });
  useKeys({
    x: () => {
      const line = lines.find((each) => each.kind === 'thread' && each.thread.id === chosen);
      if (line?.kind === 'thread') selection.toggle(line.thread.id);
    },
    X: selection.all,
    Enter: () => {
      const line = lines.find((each) => each.kind === 'thread' && each.thread.id === chosen);
      if (line?.kind === 'thread') navigation.go(threadPlace(line.thread));
    },
  });

  return (
    <div ref={scroller} className="scroller" data-testid="threads">
      <div role="list" className="virtual" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
          const line = lines[index];
          if (!line) return null;
          const place = { transform: `translateY(${start}px)`, height: size };
          if (line.kind === 'group') {
            return (
              <div role="listitem" key={key} className="virtual-line" style={place}>
                <h2 className={`group-head group-${line.group.replaceAll(' ', '-')}`}>
                  {turnHead(line.group)} <span className="group-count">{line.count}</span>
                </h2>
              </div>
            );
          }
          const isChosen = line.thread.id === chosen;
          return (
            <div
              role="listitem"
              key={key}
              className={isChosen ? 'virtual-line is-chosen' : 'virtual-line'}
              aria-current={isChosen ? 'true' : undefined}
              style={place}
            >
              <ThreadListRow
                thread={line.thread}
                prompt={askedIn(line.thread, prompts)}
                excerpt={line.excerpt}
                isSelected={selection.ids.has(line.thread.id)}
                onSelect={selection.toggle}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function keyOf(line: FilteredLine | undefined): string {
  if (!line) return '';
  return line.kind === 'group' ? line.group : line.thread.id;
}
