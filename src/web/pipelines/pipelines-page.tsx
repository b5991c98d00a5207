import './pipelines.css';
import '../parts/parts.css';
import '../dispatch/dispatch.css';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { PipelineDetail } from '../../protocol/pipeline.js';
import { useConsole } from '../console-context.js';
import { readFailed } from '../parts/read-failure.js';
import { useControl } from '../parts/use-control.js';
import { useMay } from '../rights.js';
import { PipelineForm } from './pipeline-form.js';
import { PipelineView } from './pipeline-view.js';

const shownRuns = 20;
const lookEveryMs = 1500;

/** The last runs of pipelines, each drawn as it stands, and a form for another. */
export default function PipelinesPage(): ReactNode {
  const { client } = useConsole();
  const [runs, setRuns] = useState<readonly PipelineDetail[]>();
  const control = useControl();
  // A pipeline has commands that nobody is asked about.
  const canRun = [useMay('dispatch'), useMay('approve')].every(Boolean);
  const read = useCallback(async () => {
    const { pipelines } = await client.pipelines.list({ limit: shownRuns });
    return await Promise.all(pipelines.map(({ id }) => client.pipelines.get(id)));
  }, [client]);
  useEffect(() => {
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      read()
        .then((all) => !isLeft && setRuns(all), readFailed)
        .finally(() => {
          if (!isLeft) timer = setTimeout(look, lookEveryMs);
        });
    };
    look();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [read]);
  return (
    <div className="pipelines section-page scroller">
      <h1>Pipelines</h1>
      {canRun && <PipelineForm onBegun={() => void read().then((all) => setRuns(all), readFailed)} />}
      {control.failure !== undefined && (
        <p role="alert" className="note is-bad">
          {control.failure}
        </p>
      )}
      {runs?.length === 0 && (
        <p className="note">
          There are no runs yet. Start one here, or with: <code>handraise pipeline run FILE</code>
        </p>
      )}
      {runs?.map((pipeline) => (
        <PipelineView
          key={pipeline.id}
          pipeline={pipeline}
          isActing={control.isActing}
          cancel={() =>
            control.act(async (asked) => {
              await asked.pipelines.cancel(pipeline.id);
              setRuns(await read());
            })
          }
        />
      ))}
    </div>
  );
}
