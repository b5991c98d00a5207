import type { ReactNode } from 'react';

const views = { timeline: 'Timeline', review: 'Review', raw: 'Events' } as const;
export type ThreadTab = keyof typeof views;
const threadViews: readonly ThreadTab[] = ['timeline', 'review', 'raw'];

/** What is shown of a thread; arrow keys go from one to the next. */
export function ThreadTabs({
  shown,
  onShow,
}: {
  readonly shown: ThreadTab;
  readonly onShow: (view: ThreadTab) => void;
}): ReactNode {
  return (
    <div className="views" role="tablist" aria-label="View">
      {threadViews.map((each) => (
        <button
          key={each}
          type="button"
          role="tab"
          id={`tab-${each}`}
          aria-selected={each === shown}
          aria-controls="thread-view"
          tabIndex={each === shown ? 0 : -1}
          className="view-tab"
          onClick={() => onShow(each)}
          onKeyDown={(event) => {
            const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
            const next = viewAfter(each, step);
            if (step === 0) return;
            onShow(next);
            document.getElementById(`tab-${next}`)?.focus();
          }}
        >
          {views[each]}
        </button>
      ))}
    </div>
  );
}

/** The view so many steps on, round and round. */
export function viewAfter(view: ThreadTab, step: number): ThreadTab {
  const { length } = threadViews;
  return threadViews[(threadViews.indexOf(view) + step + length) % length] ?? 'timeline';
}
