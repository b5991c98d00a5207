import { lstatSync, type Stats } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { boundedOutputs, type PhaseOutputs, readOutputs } from '../../domain/pipeline/outputs.js';
import { readFileBeginning } from '../../process/files/bounded-file.js';
import { given } from '../../protocol/given.js';
import { PipelineId } from '../../protocol/id.js';

const largestOutput = 256 * 1024;
// The key of a phase and the number of its try.
const isTryFile = /^[^/]{1,300}-\d{1,6}$/;

/** Where phases leave what they give to those after them, outside of their workspace, until it is written down. */
export class OutputFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The file of a try, whose folder is made. */
  async prepare(
    id: PipelineId,
    { key, number }: { readonly key: string; readonly number: number },
  ): Promise<string> {
    await mkdir(join(this.#root, id), { recursive: true, mode: 0o700 });
    return this.path(id, { key, number });
  }

  path(id: PipelineId, { key, number }: { readonly key: string; readonly number: number }): string {
    return join(this.#root, id, `${key}-${number}`);
  }

  /** What a try left, and what its work said last. */
  read(file: string, summary: string | undefined): PhaseOutputs {
    const { outputs, lost } = readOutputs(readFileBeginning(file, largestOutput) ?? '');
    const found = lstatSync(file, { throwIfNoEntry: false });
    const problem = found && oddFile(found);
    return {
      outputs: boundedOutputs(new Map(Object.entries({ text: summary ?? '', ...outputs }))),
      ...given({ lost: problem ?? lost }),
    };
  }

  async remove(id: PipelineId): Promise<void> {
    await rm(join(this.#root, id), { recursive: true, force: true });
  }

  /**
   * The environment of a phase whose pipeline came from another worker: its file is in this worker's home, where the one who
   * goes on with the pipeline reads it. Any other environment is left as it is.
   */
  async here(env: Readonly<Record<string, string>> = {}): Promise<Record<string, string> | null> {
    const { PIPELINE_ID: given, PIPELINE_OUTPUT: file } = env;
    const id = PipelineId.safeParse(given).data;
    if (id === undefined || file === undefined) return null;
    const own = join(this.#root, id, basename(file));
    if (file === own) return null;
    if (file !== join(dirname(dirname(file)), id, basename(file)) || !isTryFile.test(basename(file)))
      return null;
    await mkdir(dirname(own), { recursive: true, mode: 0o700 });
    return { ...env, PIPELINE_OUTPUT: own };
  }
}

/** What is wrong with the file itself. */
function oddFile(found: Stats): string | undefined {
  if (!found.isFile()) return '$PIPELINE_OUTPUT is no longer a regular file, so nothing of it is read';
  return found.size > largestOutput
    ? '$PIPELINE_OUTPUT is larger than 256 KiB; its beginning is read'
    : undefined;
}
