import type { ReactNode } from 'react';
import { plainText } from '../../domain/words/plain-text.js';
import type { Landing } from '../../protocol/landing.js';

/** Whether the pull request of the work is watched, and the button that begins or ends that. */
export function WatchControl({
  landings,
  isActing,
  onWatch,
  onStop,
}: {
  /** The newest first. */
  readonly landings: readonly Landing[];
  readonly isActing: boolean;
  readonly onWatch: () => void;
  readonly onStop: () => void;
}): ReactNode {
  const watch = landings.find(({ kind }) => kind === 'watch');
  const hasRequest = landings.some(
    ({ kind, state, pullRequest }) => kind === 'pr' && state === 'done' && pullRequest !== undefined,
  );
  if (!watch && !hasRequest) return null;
  const isWatched = watch?.state === 'begun';
  return (
    <div className="watch-control" role="group" aria-label="Watch the pull request">
      <p role="status" className={watch?.state === 'failed' ? 'is-bad' : 'note'}>
        {watch
          ? plainText(watch.sentence)
          : 'The pull request is not watched. If it is, failing checks and review comments go to the agent.'}
      </p>
      <button type="button" disabled={isActing} onClick={isWatched ? onStop : onWatch}>
        {isWatched ? 'Stop watching' : 'Watch the pull request'}
      </button>
    </div>
  );
}
