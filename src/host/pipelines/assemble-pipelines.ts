import type { Admission } from '../dispatches/admission.js';
import type { DispatchService } from '../dispatches/dispatch-service.js';
import type { HostEnvironment } from '../host-environment.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { ProjectCodeService } from '../trust/project-code.js';
import type { OutputFiles } from './output-files.js';
import { PipelineEngine } from './pipeline-engine.js';
import { PipelineService } from './pipeline-service.js';

/** Builds what runs pipelines; nothing moves before the engine is opened. */
export function assemblePipelines(
  { store, clock, ids, failpoint, log }: HostEnvironment,
  parts: {
    readonly changes: ThreadChanges;
    readonly admission: Admission;
    readonly dispatches: DispatchService;
    readonly projectCode: ProjectCodeService;
    readonly outputs: OutputFiles;
  },
): { readonly service: PipelineService; readonly engine: PipelineEngine } {
  const { changes, admission, dispatches, projectCode, outputs } = parts;
  const engine = new PipelineEngine({
    store,
    changes,
    dispatches,
    outputs,
    clock,
    newPromptId: () => ids.prompt(),
    failpoint,
    log,
  });
  const service = new PipelineService({
    store,
    admission,
    projectCode,
    engine,
    outputs,
    clock,
    newPipelineId: () => ids.pipeline(),
    newThreadId: () => ids.thread(),
  });
  return { service, engine };
}
