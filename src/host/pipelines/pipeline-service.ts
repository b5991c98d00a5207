import { isDeepStrictEqual } from 'node:util';
import { type PipelineDefinition, runsCommands } from '../../domain/pipeline/definition.js';
import { firstDifference } from '../../domain/pipeline/first-difference.js';
import { withKnownInstances } from '../../domain/pipeline/known-instances.js';
import { plainLine } from '../../domain/words/plain-text.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { PipelineId, ThreadId } from '../../protocol/id.js';
import { Pipeline, type PipelineDetail, type PipelineRequest } from '../../protocol/pipeline.js';
import { largestPageBytes, type Page, type PageRequest } from '../../store/page.js';
import type { IdPart } from '../../store/query.js';
import type { Store } from '../../store/store.js';
import type { StoredPipeline } from '../../store/stored-pipeline.js';
import { type Clock, instant } from '../clock.js';
import { type Admission, checkedWorkspace } from '../dispatches/admission.js';
import type { Actor, Pipelines } from '../host.js';
import { KeyedQueue } from '../threads/keyed-queue.js';
import type { ProjectCodeService } from '../trust/project-code.js';
import type { OutputFiles } from './output-files.js';
import { phaseWork } from './phase-work.js';
import type { PipelineEngine } from './pipeline-engine.js';
import { detailOf, readPipelineRun } from './pipeline-run.js';
import { placedFailure, readDefinition } from './read-definition.js';

export interface PipelineServiceParts {
  readonly store: Store;
  readonly admission: Admission;
  readonly projectCode: ProjectCodeService;
  readonly engine: PipelineEngine;
  readonly outputs: OutputFiles;
  readonly clock: Clock;
  readonly newPipelineId: () => PipelineId;
  readonly newThreadId: () => ThreadId;
}

/** Pipelines as people run, look at and cancel them. */
export class PipelineService implements Pipelines {
  readonly #parts: PipelineServiceParts;
  /** Of two requests with the same file, the second finds the run of the first. */
  readonly #queue = new KeyedQueue<string>();

  constructor(parts: PipelineServiceParts) {
    this.#parts = parts;
  }

  async create(
    request: PipelineRequest,
    actor: Actor,
  ): Promise<{ readonly pipeline: PipelineDetail; readonly isNew: boolean }> {
    return await this.#queue.run(request.file ?? '', async () => await this.#create(request, actor));
  }

  async #create(
    request: PipelineRequest,
    actor: Actor,
  ): Promise<{ readonly pipeline: PipelineDetail; readonly isNew: boolean }> {
    const { store, clock, engine, newPipelineId, newThreadId } = this.#parts;
    const { source, file, inputs = {}, noInput = false } = request;
    const definition = await readDefinition({ source, file });
    expectInputs(definition, inputs);
    expectMatrices(definition, inputs);
    const { path } = checkedWorkspace(request.workspace);
    const open = request.again === true ? undefined : await this.#openRun(request, path);
    if (open) return { pipeline: await this.get(open.id), isNew: false };
    if (request.onlyApproved && file === undefined)
      throw new Failure(
        'invalid',
        'onlyApproved needs file: the absolute path of the file that was approved.',
      );
    if (file !== undefined && (request.onlyApproved || runsCommands(definition)))
      await this.#parts.projectCode.expectApprovedFile(file, source);
    const id = newPipelineId();
    const threadId = newThreadId();
    const createdAt = instant(clock);
    const name = plainLine(definition.name, { maxLength: 200 }) || 'pipeline';
    const pipeline: StoredPipeline = {
      id,
      name,
      threadId,
      workspace: { path },
      state: 'running',
      actor,
      createdAt,
      source,
      inputs,
      noInput,
      revision: 0,
      ...given({ file }),
    };
    await this.#expectWork(pipeline, definition);
    const result = await store.commit({
      operations: [
        {
          do: 'insertThread',
          thread: {
            id: threadId,
            title: `Pipeline ${name}`,
            runtime: 'exec',
            workspace: { path },
            status: { state: 'stopped', why: 'a pipeline', source: 'worker', confidence: 'authoritative' },
            createdAt,
            launch: { permissions: 'autonomous', posture: {} },
          },
        },
        { do: 'insertPipeline', pipeline },
      ],
    });
    if (!result.committed)
      throw new Failure('home_busy', 'Another worker has taken over this home. Try again.');
    engine.poke(id);
    return { pipeline: await this.get(id), isNew: true };
  }

  async get(id: PipelineId): Promise<PipelineDetail> {
    const pipeline = await this.#stored(id);
    const definition = await readDefinition(pipeline);
    return detailOf(await readPipelineRun(this.#parts.store, pipeline, definition));
  }

  async list(query: PageRequest & IdPart & { readonly open?: true }): Promise<Page<Pipeline>> {
    const page = await this.#parts.store.query('pipelines', {
      order: 'newest_first',
      ...query,
      mostBytes: largestPageBytes,
    });
    return { ...page, rows: page.rows.map((row) => Pipeline.parse(row)) };
  }

  async cancel(id: PipelineId, actor: Actor): Promise<PipelineDetail> {
    for (;;) {
      const before = await this.#stored(id);
      if (before.state === 'ended' || before.cancelledBy !== undefined) break;
      const pipeline = { ...before, cancelledBy: actor, revision: before.revision + 1 };
      const result = await this.#parts.store.commit({
        operations: [{ do: 'replacePipeline', pipeline, phases: [], if: { revision: before.revision } }],
      });
      if (result.committed) break;
      if (result.refusal.because === 'superseded')
        throw new Failure('home_busy', 'Another worker has taken over this home. Try again.');
    }
    this.#parts.engine.poke(id);
    return await this.get(id);
  }

  /** A run of the same file in the same workspace that has not ended; one of a file that has changed since is refused. */
  async #openRun(
    { source, file, inputs = {} }: PipelineRequest,
    path: string,
  ): Promise<StoredPipeline | undefined> {
    if (file === undefined) return undefined;
    const { rows } = await this.#parts.store.query('pipelines', { open: true, limit: 1000 });
    const open = rows.find((row) => row.file === file && row.workspace.path === path);
    if (!open) return undefined;
    const what = `Cancel it with: handraise pipeline cancel ${open.id}. Or run it beside it with --again.`;
    const place = firstDifference(open.source, source);
    if (place)
      throw new Failure(
        'invalid',
        `${file}, line ${place.line}, column ${place.column}: The file has changed since ${open.id} began, which has not ended. ${what}`,
      );
    if (!isDeepStrictEqual(open.inputs, inputs))
      throw new Failure(
        'conflict',
        `${open.id} runs this file with other inputs, and has not ended. ${what}`,
      );
    return open;
  }

  /** What could not be taken in now could not be taken in later: nothing is begun. */
  async #expectWork(pipeline: StoredPipeline, definition: PipelineDefinition): Promise<void> {
    const facts = {
      inputs: pipeline.inputs,
      noInput: pipeline.noInput,
      isCancelled: false,
      phases: new Map(),
    };
    for (const phase of definition.phases) {
      const [instance] = phase.instances;
      if (phase.does.kind === 'approval' || !instance) continue;
      const outputFile = this.#parts.outputs.path(pipeline.id, { key: instance.key, number: 1 });
      const place = { phase, instance };
      const work = phaseWork(pipeline, { definition, place, facts, outputFile });
      await this.#parts.admission.admit(work).catch(async (error: unknown) => {
        throw error instanceof Failure ? await placedFailure(error, pipeline, phase) : error;
      });
    }
  }

  async #stored(id: PipelineId): Promise<StoredPipeline> {
    const pipeline = await this.#parts.store.query('pipeline', { id });
    if (!pipeline) throw new Failure('not_found', `There is no pipeline ${id}.`);
    return pipeline;
  }
}

/** A matrix that is read from inputs alone is known before anything has begun. */
function expectMatrices(definition: PipelineDefinition, inputs: Readonly<Record<string, string>>): void {
  const nothing = { inputs, noInput: false, isCancelled: false, phases: new Map() };
  const known = withKnownInstances(definition, nothing).phases.flatMap(({ instances }) => instances);
  const unfit = known.find((instance) => instance.unfit?.isEmpty === false)?.unfit;
  if (unfit) throw new Failure('invalid', unfit.why);
}

function expectInputs({ inputs }: PipelineDefinition, wanted: Readonly<Record<string, string>>): void {
  const names = Object.keys(inputs);
  for (const [name, value] of Object.entries(wanted)) {
    if (!names.includes(name))
      throw new Failure(
        'invalid',
        `The pipeline has no input "${name}". It has: ${names.join(', ') || 'none'}.`,
      );
    if (value.includes('\0')) throw new Failure('invalid', `The input "${name}" holds a NUL character.`);
  }
  const missing = names.find((name) => {
    const input = inputs[name];
    return input?.required === true && input.usual === undefined && (wanted[name] ?? '') === '';
  });
  if (missing !== undefined)
    throw new Failure('invalid', `The pipeline needs the input "${missing}": --with ${missing}=TEXT.`);
}
