import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { answeringScope } from '../../domain/prompts/answering-scope.js';
import { isShortPrompt } from '../../domain/prompts/short-prompt.js';
import { turnHead } from '../../domain/thread/turn-group.js';
import { isOpenPrompt } from '../../live/overview.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Prompt } from '../../protocol/prompt.js';
import { useConsole } from '../console-context.js';
import { useKeys } from '../keys/use-keys.js';
import { loadedPart } from '../loaded-part.js';
import { useOverview } from '../overview/use-overview.js';
import { useMay } from '../rights.js';
import { askedIn } from './asked-in.js';
import type { FilteredLine } from './filter.js';
import { ThreadListRow, threadPlace } from './thread-row.js';
import { usePeek } from './use-peek.js';
import type { Selection } from './use-selection.js';

// Most people look before they answer.
const RowAnswer = loadedPart(() => import('../inbox/row-answer.js'));

const groupHeight = 40;
const rowHeight = 44;
const narrowRowHeight = 92;
// There is a button for a finger beside the words.
const narrowAnswerHeight = 104;
const narrow = matchMedia('(max-width: 720px)');

type ThreadLine = Extract<FilteredLine, { kind: 'thread' }>;

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
  const may = { answer: useMay('answer'), approve: useMay('approve') };
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const peek = usePeek();
  const peekedId = peek.peeked?.threadId;
  const heightOf = (line: FilteredLine | undefined) => {
    if (line?.kind !== 'thread') return groupHeight;
    const hasButton = line.thread.id === peekedId || isAnswerable(askedIn(line.thread, prompts), may);
    const narrowHeight = hasButton ? narrowAnswerHeight : narrowRowHeight;
    const height = narrow.matches ? narrowHeight : rowHeight;
    return line.thread.id === peekedId ? height + peek.height : height;
  };
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(lines[index]),
    getItemKey: (index) => keyOf(lines[index]),
    overscan: 6,
  });
  useEffect(() => {
    const measure = () => virtualizer.measure();
    narrow.addEventListener('change', measure);
    return () => narrow.removeEventListener('change', measure);
  }, [virtualizer]);
  // A line that becomes another kind, or is opened, has another height.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the heights are made of
  useEffect(() => virtualizer.measure(), [virtualizer, lines, peekedId, peek.height]);
  // What was opened at the end of the window comes into sight whole.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once it is open and measured, not with every change of the list
  useEffect(() => {
    const place = lines.findIndex((line) => line.kind === 'thread' && line.thread.id === peekedId);
    if (place >= 0) virtualizer.scrollToIndex(place);
  }, [virtualizer, peekedId, peek.height]);

  const threads = lines.filter((line) => line.kind === 'thread');
  const choose = (line: ThreadLine) => {
    setChosen(line.thread.id);
    virtualizer.scrollToIndex(lines.indexOf(line));
  };
  const move = (step: number) => {
    const now = threads.findIndex(({ thread }) => thread.id === chosen);
    const next = threads[Math.min(Math.max(now + step, 0), threads.length - 1)];
    if (next) choose(next);
  };
  const focusChosen = () =>
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>('.is-chosen .thread-answer')?.focus(),
    );
  const chosenLine = () => threads.find(({ thread }) => thread.id === chosen);
  const toggle = (id: ThreadId) => {
    const line = threads.find(({ thread }) => thread.id === id);
    const prompt = line && askedIn(line.thread, prompts);
    setChosen(id);
    if (peekedId === id) {
      peek.show(undefined);
      focusChosen();
    } else if (prompt) peek.show({ threadId: id, promptId: prompt.id });
  };
  useKeys({ j: () => move(1), k: () => move(-1) }, { isRepeating: true });
  useKeys({
    x: () => {
      const line = chosenLine();
      if (line) selection.toggle(line.thread.id);
    },
    X: selection.all,
    ' ': () => {
      const line = chosenLine();
      if (!line) return;
      const isPeekedHere = line.thread.id === peekedId;
      if (isPeekedHere || isAnswerable(askedIn(line.thread, prompts), may)) toggle(line.thread.id);
      else if (line.thread.status.state === 'question') navigation.go(threadPlace(line.thread));
    },
    // What is being answered listens to it.
    ...(peekedId === undefined && {
      Enter: () => {
        const line = chosenLine();
        if (line) navigation.go(threadPlace(line.thread));
      },
    }),
  });

  /** The next one that can be answered here has the mark, and the focus too where the answer had it. */
  const goOn = ({ thread, same }: ThreadLine) => {
    const answered = new Set([thread.id, ...(same ?? []).map(({ threadId }) => threadId)]);
    const from = threads.findIndex((line) => line.thread.id === thread.id);
    const next = [...threads.slice(from), ...threads.slice(0, from)].find(
      (line) =>
        !answered.has(line.thread.id) && isAnswerable(askedIn(line.thread, overview.overview.prompts), may),
    );
    peek.show(undefined);
    setChosen(undefined);
    if (!next) return;
    choose(next);
    focusChosen();
  };

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
          const { thread, same } = line;
          const isChosen = thread.id === chosen;
          const prompt = askedIn(thread, prompts);
          const isPeeked = peek.peeked !== undefined && thread.id === peekedId;
          const peeked = isPeeked ? prompts.get(peek.peeked.promptId) : undefined;
          return (
            <div
              role="listitem"
              key={key}
              className={isChosen ? 'virtual-line is-chosen' : 'virtual-line'}
              aria-current={isChosen ? 'true' : undefined}
              style={place}
            >
              <ThreadListRow
                thread={thread}
                prompt={prompt}
                excerpt={line.excerpt}
                sameIn={same?.length ?? 1}
                isSelected={selection.ids.has(thread.id)}
                onSelect={selection.toggle}
                peek={isPeeked ? 'open' : isAnswerable(prompt, may) ? 'closed' : 'none'}
                onPeek={toggle}
              />
              {peeked && (
                <div ref={peek.below} className="thread-peek">
                  <Suspense fallback={<p className="loading">Loading…</p>}>
                    <RowAnswer
                      key={peeked.id}
                      prompt={peeked}
                      thread={thread}
                      equals={same?.filter(({ id }) => id !== peeked.id) ?? []}
                      onAnswered={() => goOn(line)}
                      onClose={() => toggle(thread.id)}
                    />
                  </Suspense>
                </div>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Whether a person answers it in the list; everything else is opened. */
function isAnswerable(
  prompt: Prompt | undefined,
  may: Readonly<Record<'answer' | 'approve', boolean>>,
): boolean {
  return prompt !== undefined && isOpenPrompt(prompt) && may[answeringScope(prompt)] && isShortPrompt(prompt);
}

function keyOf(line: FilteredLine | undefined): string {
  if (!line) return '';
  return line.kind === 'group' ? line.group : line.thread.id;
}
