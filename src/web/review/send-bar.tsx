import type { ReactNode } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { ReviewComment } from '../../protocol/review-comment.js';
import { useKeys } from '../keys/use-keys.js';
import { commentsByFile } from './comments-by-file.js';

/** The comments that wait, and the button that gives them to the agent as one message. */
export function SendBar({
  unsent,
  isActing,
  failure,
  onSend,
}: {
  readonly unsent: readonly ReviewComment[];
  readonly isActing: boolean;
  readonly failure: string | undefined;
  readonly onSend: () => void;
}): ReactNode {
  const count = unsent.length;
  useKeys({ S: () => count > 0 && !isActing && onSend() });
  const files = [...commentsByFile(unsent)].map(
    ([file, of]) => `${plainLine(file.slice(file.lastIndexOf('/') + 1))} ${of.length}`,
  );
  return (
    <div
      className={count === 0 && failure === undefined ? 'send-bar is-empty' : 'send-bar'}
      role="group"
      aria-label="Comments"
    >
      <p role="status">
        {count === 0 && (
          <span className="note">Comments go to the agent in one message, with file and line.</span>
        )}
        {count > 0 && (
          <>
            <b>{count === 1 ? '1 comment' : `${count} comments`}</b>{' '}
            <span className="note">{files.join(' · ')}</span>
          </>
        )}
      </p>
      <p role="alert" className="is-bad">
        {failure}
      </p>
      <button
        type="button"
        className={count > 0 ? 'primary' : ''}
        disabled={count === 0 || isActing}
        onClick={onSend}
      >
        Send to the agent <kbd>⇧S</kbd>
      </button>
    </div>
  );
}
