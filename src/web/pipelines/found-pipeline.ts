import type { Client } from '../../client/client.js';
import { runsCommands } from '../../domain/pipeline/definition.js';
import { Failure } from '../../protocol/failure.js';

/** A pipeline as it lies on the worker's machine, ready to be begun. */
export interface FoundPipeline {
  readonly file: string;
  readonly folder: string;
  readonly source: string;
  readonly name: string;
  readonly phases: number;
  readonly inputs: readonly {
    readonly name: string;
    readonly description: string | undefined;
    readonly isRequired: boolean;
    readonly usual: string;
  }[];
  /** What is approved: it covers every character of the source. */
  readonly digest: string;
  /** It has commands that nobody has approved as they are. */
  readonly needsApproval: boolean;
}

/** Reads a file on the worker's machine; what is wrong with it is a sentence with line and column. */
export async function findPipeline(client: Client, file: string): Promise<FoundPipeline> {
  // YAML is read by a large library, which most visitors never need.
  const [{ parsePipeline }, { files, digest, approved }] = await Promise.all([
    import('../../domain/pipeline/parse-pipeline.js'),
    client.projectCode(file),
  ]);
  const [{ text: source, problem } = { text: '', problem: undefined }] = files;
  if (problem !== undefined) throw new Failure('invalid', `${file} cannot be shown: ${problem}.`);
  const definition = parsePipeline(source, file);
  return {
    file,
    folder: file.slice(0, Math.max(1, file.lastIndexOf('/'))),
    source,
    digest,
    name: definition.name,
    phases: definition.phases.length,
    inputs: Object.entries(definition.inputs).map(([name, { required, usual, description }]) => ({
      name,
      description,
      isRequired: required && usual === undefined,
      usual: usual ?? '',
    })),
    needsApproval: runsCommands(definition) && !approved,
  };
}
