import type { ReactNode } from 'react';
import { markedLine } from '../../domain/words/marked-text.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { ChangeList } from './use-changes.js';

const layouts = { split: 'Split', unified: 'Unified' } as const;
type Layout = keyof typeof layouts;

/** How much changed against what, how far the reader is, and how it is shown. */
export function ReviewBar({
  list,
  viewed,
  current,
  layout,
  isReading,
  onGo,
  onLayout,
  onRefresh,
}: {
  readonly list: ChangeList;
  readonly viewed: number;
  readonly current: number;
  /** Missing where there is no room for two columns, nor for the tree. */
  readonly layout: Layout | undefined;
  readonly isReading: boolean;
  readonly onGo: (file: number) => void;
  readonly onLayout: (layout: Layout) => void;
  readonly onRefresh: () => void;
}): ReactNode {
  const { totals, base, notes, files } = list;
  return (
    <div className="review-bar">
      <p>
        <b>{totals.files === 1 ? '1 file' : `${totals.files} files`}</b>{' '}
        <span className="note-good">+{totals.added}</span> <span className="note-bad">−{totals.removed}</span>
      </p>
      <p className="note">
        {viewed} of {totals.files} viewed · against {plainLine(base.why)}
      </p>
      {notes.map((note) => (
        <p key={note} className="note">
          {plainLine(note)}
        </p>
      ))}
      <div className="review-tools">
        {layout === undefined && files.length > 1 && (
          <label className="review-jump">
            <span className="unseen">Go to file</span>
            <select value={current} onChange={(event) => onGo(Number(event.target.value))}>
              {files.map(({ path }, index) => (
                <option key={path} value={index}>
                  {markedLine(path)}
                </option>
              ))}
            </select>
          </label>
        )}
        {layout !== undefined && (
          <div role="group" aria-label="Layout" className="review-layout">
            {(['split', 'unified'] as const).map((each) => (
              <button key={each} type="button" aria-pressed={layout === each} onClick={() => onLayout(each)}>
                {layouts[each]}
              </button>
            ))}
          </div>
        )}
        <button type="button" disabled={isReading} onClick={onRefresh}>
          Refresh
        </button>
      </div>
    </div>
  );
}
