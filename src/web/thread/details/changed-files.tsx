import type { ReactNode } from 'react';
import { plainLine } from '../../../domain/words/plain-text.js';
import type { ChangedPath } from '../../../protocol/changes.js';
import type { Thread } from '../../../protocol/thread.js';
import { Diffstat } from '../../parts/diffstat.js';
import { useChangeSummary } from '../../parts/use-change-summary.js';

const most = 40;
const letters = { added: 'A', changed: 'M', renamed: 'R', deleted: 'D' } as const satisfies Record<
  ChangedPath['status'],
  string
>;

/** The files that the agent changed; a click shows their lines. */
export function ChangedFiles({
  thread,
  round,
  onReview,
}: {
  readonly thread: Thread;
  /** Another one reads the files again. */
  readonly round: number;
  readonly onReview: () => void;
}): ReactNode {
  const summary = useChangeSummary(thread, { round });
  if (!summary || summary.totals.files === 0) return null;
  const { files, totals } = summary;
  return (
    <section aria-labelledby="details-files">
      <h2 id="details-files">
        Changed files <Diffstat {...totals} />
      </h2>
      <ul className="changed-files">
        {files.slice(0, most).map(({ path, status, added, removed, binary }) => (
          <li key={path}>
            <button type="button" className="plain changed-file" onClick={onReview}>
              <span className={`file-letter file-${status}`} aria-hidden="true">
                {letters[status]}
              </span>
              <span className="unseen">{status}: </span>
              <span className="changed-path" title={plainLine(path)}>
                <bdi>{plainLine(path)}</bdi>
              </span>
              {binary ? <span className="note">binary</span> : <Diffstat added={added} removed={removed} />}
            </button>
          </li>
        ))}
      </ul>
      {totals.files > most && <p className="note">and {totals.files - most} more in Review</p>}
    </section>
  );
}
