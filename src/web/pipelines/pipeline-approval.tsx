import { type ReactNode, useId, useMemo } from 'react';
import { textSheet } from '../../domain/prompts/text-sheet.js';
import { unreadWords } from '../../domain/words/reading-words.js';
import { SheetView } from '../parts/sheet-view.js';
import { HiddenNote } from '../parts/tool-input.js';
import { useReading } from '../parts/use-reading.js';
import { useSteady } from '../parts/use-steady.js';
import type { FoundPipeline } from './found-pipeline.js';

/** A file that nobody has approved, whole. It can be approved once every line of it was on the screen. */
export function PipelineApproval({
  found: { source, digest },
  isActing,
  approve,
}: {
  readonly found: FoundPipeline;
  readonly isActing: boolean;
  readonly approve: () => void;
}): ReactNode {
  const lines = useMemo(() => textSheet(source), [source]);
  const reading = useReading(source, lines.length);
  const isSteady = useSteady(digest);
  const unreadId = useId();
  const unread = unreadWords(reading);
  const isHeld = unread !== '' || !isSteady;
  return (
    <section className="pipeline-approval" aria-label="Commands that nobody has approved">
      <p className="note">
        Nobody has approved its commands as they are. They run with the rights of the worker. Read all of the
        file first.
      </p>
      <HiddenNote value={source} />
      <SheetView lines={lines} onSeen={reading.see} onShow={reading.onShow} />
      {unread !== '' && (
        <p id={unreadId} className="unread">
          {unread}{' '}
          <button type="button" className="plain" onClick={reading.showNext}>
            Show what comes next
          </button>
        </p>
      )}
      <p className="note">
        SHA-256 of what is shown: <code>{digest.slice(0, 16)}…</code>
      </p>
      <button
        type="button"
        className="primary"
        disabled={isActing}
        aria-disabled={isHeld}
        {...(unread !== '' && { 'aria-describedby': unreadId })}
        onClick={() => {
          if (unread !== '') reading.showNext();
          else if (isSteady) approve();
        }}
      >
        Approve this file
      </button>
    </section>
  );
}
