import type { PhaseDefinition, PipelineDefinition } from '../../domain/pipeline/definition.js';
import type { Failure } from '../../protocol/failure.js';

const unnamed = 'pipeline.yaml';

interface WrittenPipeline {
  readonly source: string;
  readonly file?: string | undefined;
}

/** What a pipeline says. YAML is read by a large library, which most workers never need: it is loaded with the first pipeline. */
export async function readDefinition({
  source,
  file = unnamed,
}: WrittenPipeline): Promise<PipelineDefinition> {
  const { parsePipeline } = await import('../../domain/pipeline/parse-pipeline.js');
  return parsePipeline(source, file);
}

/** Why a phase cannot work, with its place in the file. */
export async function placedFailure(
  failure: Failure,
  { source, file = unnamed }: WrittenPipeline,
  phase: PhaseDefinition,
): Promise<Failure> {
  const { phaseFailure } = await import('../../domain/pipeline/phase-failure.js');
  return phaseFailure(failure, { source, file }, phase);
}
