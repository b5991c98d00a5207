import { type ReactNode, useId } from 'react';
import { phaseMark, phaseWords, pipelineWords } from '../../domain/pipeline/pipeline-words.js';
import { stagesOf } from '../../domain/pipeline/stages.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { PipelineDetail, PipelinePhase } from '../../protocol/pipeline.js';
import { Link } from '../parts/link.js';
import { useMay } from '../rights.js';

/** One run: a column for each stage, from left to right. */
export function PipelineView({
  pipeline,
  isActing,
  cancel,
}: {
  readonly pipeline: PipelineDetail;
  readonly isActing: boolean;
  readonly cancel: () => void;
}): ReactNode {
  const headId = useId();
  const canCancel = useMay('dispatch');
  return (
    <section aria-labelledby={headId}>
      <div className="section-head">
        <h2 id={headId}>{plainLine(pipeline.name)}</h2>
        <span className="pipeline-state">{pipelineWords(pipeline)}</span>
        {pipeline.state === 'running' && canCancel && (
          <button type="button" className="danger" disabled={isActing} onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
      <p className="note">
        {plainLine(pipeline.workspace.path)} ·{' '}
        <Link to={{ page: 'thread', threadId: pipeline.threadId }}>what happened</Link>
      </p>
      <ol className="pipeline-stages">
        {stagesOf(pipeline.phases).map((stage) => (
          <li key={stage[0]?.key}>
            <ul>
              {stage.map((phase) => (
                <li key={phase.key} className={`pipeline-phase is-${phase.result ?? phase.state}`}>
                  <PhaseBox phase={phase} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </section>
  );
}

function PhaseBox({ phase }: { readonly phase: PipelinePhase }): ReactNode {
  const threadId = phase.tries.at(-1)?.threadId;
  const title = plainLine(phase.title, { maxLength: 200 });
  return (
    <>
      <strong>
        <span aria-hidden="true">{phaseMark(phase)} </span>
        {threadId === undefined ? title : <Link to={{ page: 'thread', threadId }}>{title}</Link>}
      </strong>
      <span className="note">
        {phase.state === 'asking' && phase.promptId !== undefined ? (
          <Link to={{ page: 'inbox', promptId: phase.promptId }}>{phaseWords(phase)}</Link>
        ) : (
          phaseWords(phase)
        )}
      </span>
      {phase.needs.length > 0 && <span className="note">needs {phase.needs.join(', ')}</span>}
    </>
  );
}
