import type { PipelineDefinition } from '../../domain/pipeline/definition.js';

/** What a pipeline says. YAML is read by a large library, which most workers never need: it is loaded with the first pipeline. */
export async function readDefinition({
  source,
  file = 'pipeline.yaml',
}: {
  readonly source: string;
  readonly file?: string | undefined;
}): Promise<PipelineDefinition> {
  const { parsePipeline } = await import('../../domain/pipeline/parse-pipeline.js');
  return parsePipeline(source, file);
}
