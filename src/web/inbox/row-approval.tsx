import type { ReactNode } from 'react';
import { useKeys } from '../keys/use-keys.js';
import type { Reading } from '../parts/use-reading.js';
import type { Answering } from './use-answer.js';

/** Yes or no to what stands whole in the list; yes only once every line of it was on the screen. */
export function RowApproval({
  noteId,
  answering,
  reading,
}: {
  readonly noteId: string;
  readonly answering: Answering;
  readonly reading: Reading;
}): ReactNode {
  const isUnread = reading.unseen > 0;
  const decide = (approved: boolean) => answering.send({ decision: { approved } });
  const approve = () => {
    if (!answering.mayDecide()) return;
    if (isUnread) reading.showNext();
    else decide(true);
  };
  const deny = () => decide(false);
  useKeys({ y: approve, d: deny });
  const stopped = isUnread ? { 'aria-disabled': true, 'aria-describedby': noteId } : {};
  return (
    <>
      {isUnread && answering.isSteady && (
        <p id={noteId} className="unread">
          Not all of it has been on the screen yet: scroll to the rest, or open it.
        </p>
      )}
      <div className="answer-row" role="group" aria-label="Decision">
        <button
          type="button"
          className="primary"
          disabled={answering.isSending}
          onClick={approve}
          {...stopped}
        >
          Approve <kbd>y</kbd>
        </button>
        <button type="button" className="danger" disabled={answering.isSending} onClick={deny}>
          Deny <kbd>d</kbd>
        </button>
      </div>
    </>
  );
}
