import type { ReactNode } from 'react';
import { type Mark as MarkOf, statusMarks } from '../../domain/status-mark.js';
import { type Work, workMark } from '../../domain/work-mark.js';
import type { AgentStatus } from '../../protocol/status.js';

/** A sign with colour, symbol and word. */
export function Mark({ mark }: { readonly mark: MarkOf }): ReactNode {
  return (
    <span className={`mark tone-${mark.tone}`}>
      <span className="mark-symbol" aria-hidden="true">
        {mark.symbol}
      </span>
      {mark.word}
    </span>
  );
}

export function StatusMark({ state }: { readonly state: AgentStatus['state'] }): ReactNode {
  return <Mark mark={statusMarks[state]} />;
}

export function WorkMark({ work }: { readonly work: Work }): ReactNode {
  return <Mark mark={workMark(work)} />;
}
