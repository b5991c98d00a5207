import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import type { SheetLine } from '../../domain/prompts/text-sheet.js';
import { markPattern } from '../../domain/words/marked-text.js';

const lineHeight = 20;
// So much of a line that it can be read.
const readablePx = 12;

export interface SheetViewProps {
  readonly lines: readonly SheetLine[];
  /** Lines that came onto the screen. */
  readonly onSeen?: (lines: readonly number[]) => void;
  /** Is told how a line is brought onto the screen. */
  readonly onShow?: (show: (line: number) => void) => void;
}

/** Everything an action contains. Only what is on the screen is drawn, so that megabytes scroll like a page. */
export function SheetView({ lines, onSeen, onShow }: SheetViewProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const observer = useRef<IntersectionObserver>(undefined);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 10,
  });
  const drawn = virtualizer.getVirtualItems();
  useEffect(() => {
    onShow?.((line) => virtualizer.scrollToIndex(line, { align: 'start' }));
  }, [virtualizer, onShow]);
  useEffect(() => {
    if (!onSeen) return undefined;
    // Seen from the window, so that a line counts only where neither this list nor the page around it hides it.
    const watching = new IntersectionObserver(
      (entries) => onSeen(entries.filter(isReadable).map(({ target }) => lineOf(target))),
      { threshold: [0, 0.25, 0.5, 0.75, 1] },
    );
    observer.current = watching;
    for (const line of scroller.current?.querySelectorAll('[data-index]') ?? []) watching.observe(line);
    return () => watching.disconnect();
  }, [onSeen]);
  const first = drawn[0]?.index;
  const last = drawn.at(-1)?.index;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines are drawn when the first or the last one is another
  useEffect(() => {
    for (const line of scroller.current?.querySelectorAll('[data-index]') ?? [])
      observer.current?.observe(line);
  }, [first, last]);
  return (
    <div ref={scroller} className="sheet" tabIndex={0} role="region" aria-label="What it contains">
      <div className="virtual" style={{ height: virtualizer.getTotalSize() }}>
        {drawn.map(({ index, key, start }) => {
          const line = lines[index];
          return (
            line && (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={`virtual-line sheet-line sheet-${line.kind}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <LineView line={line} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

const signs: Readonly<Partial<Record<SheetLine['kind'], string>>> = { same: ' ', added: '+', removed: '−' };
const words: Readonly<Partial<Record<SheetLine['kind'], string>>> = {
  added: 'added: ',
  removed: 'removed: ',
};

const LineView = memo(function LineView({ line }: { readonly line: SheetLine }): ReactNode {
  const { kind, name, text, isContinued = false } = line;
  const sign = signs[kind];
  return (
    <>
      {sign !== undefined && <span aria-hidden="true">{isContinued ? '↳' : sign} </span>}
      {sign === undefined && isContinued && <span aria-hidden="true">↳ </span>}
      {words[kind] !== undefined && !isContinued && <span className="unseen">{words[kind]}</span>}
      {name !== undefined && <span className="field-name">{name} </span>}
      <Marked text={text} />
    </>
  );
});

/** Text in which the codes of hidden characters stand out. */
function Marked({ text }: { readonly text: string }): ReactNode {
  if (!text.includes('⟨')) return text;
  return text
    .split(new RegExp(`(${markPattern.source})`))
    .map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part));
}

function isReadable({
  isIntersecting,
  intersectionRect,
  boundingClientRect,
}: IntersectionObserverEntry): boolean {
  if (!isIntersecting) return false;
  const endIsShown = intersectionRect.bottom >= boundingClientRect.bottom - 1;
  return endIsShown && intersectionRect.height >= Math.min(readablePx, boundingClientRect.height);
}

function lineOf(target: Element): number {
  return Number(target.getAttribute('data-index'));
}
