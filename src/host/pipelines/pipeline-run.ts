import type { PhaseDefinition, PhaseInstance, PipelineDefinition } from '../../domain/pipeline/definition.js';
import type { PhaseFact, PipelineFacts } from '../../domain/pipeline/facts.js';
import { withKnownInstances } from '../../domain/pipeline/known-instances.js';
import { isOpen, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { outcomeSentence } from '../../domain/words/outcome-words.js';
import { ExitCode } from '../../protocol/exit-code.js';
import { given } from '../../protocol/given.js';
import { type PhaseTry, Pipeline, type PipelineDetail, type PipelinePhase } from '../../protocol/pipeline.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import type { StoredPhase, StoredPipeline } from '../../store/stored-pipeline.js';

/** Which phase, and which combination of its matrix. */
export interface PhasePlace {
  readonly phase: PhaseDefinition;
  readonly instance: PhaseInstance;
}

/** A run of a pipeline with everything that is committed about it. */
export interface PipelineRun {
  readonly pipeline: StoredPipeline;
  readonly definition: PipelineDefinition;
  readonly phases: ReadonlyMap<string, StoredPhase>;
  /** The work of those that are under way, or that a person decides about. */
  readonly work: ReadonlyMap<string, StoredDispatch>;
  readonly prompts: ReadonlyMap<string, ThreadPrompt>;
}

/** Reads a run as it stands. */
export async function readPipelineRun(
  store: Store,
  pipeline: StoredPipeline,
  definition: PipelineDefinition,
): Promise<PipelineRun> {
  const phases = await store.query('pipelinePhases', { id: pipeline.id });
  const work = new Map<string, StoredDispatch>();
  const prompts = new Map<string, ThreadPrompt>();
  for (const { key, state, tries, promptId } of phases) {
    if (state === 'ended') continue;
    const dispatchId = tries.at(-1)?.dispatchId;
    const dispatch = dispatchId && (await store.query('dispatch', { id: dispatchId }));
    if (dispatch) work.set(key, dispatch);
    const prompt = promptId && (await store.query('prompt', { id: promptId }));
    if (prompt) prompts.set(key, prompt);
  }
  const read = { pipeline, phases: new Map(phases.map((phase) => [phase.key, phase])), work, prompts };
  return { ...read, definition: withKnownInstances(definition, factsOf({ ...read, definition })) };
}

/** What the plan is made from. */
export function factsOf(run: PipelineRun): PipelineFacts {
  const { inputs, noInput, cancelledBy } = run.pipeline;
  const facts = [...run.phases.values()].flatMap((phase) => {
    const fact = factOf(run, phase);
    return fact ? [[phase.key, fact] as const] : [];
  });
  return { inputs, noInput, isCancelled: cancelledBy !== undefined, phases: new Map(facts) };
}

export function phasePlace({ definition }: Pick<PipelineRun, 'definition'>, key: string): PhasePlace {
  for (const phase of definition.phases) {
    const instance = phase.instances.find((each) => each.key === key);
    if (instance) return { phase, instance };
  }
  throw new RangeError(`There is no phase ${key}.`);
}

/** The last try, with how its work ended. */
export function endedTry(run: PipelineRun, phase: StoredPhase): PhaseTry | undefined {
  const last = phase.tries.at(-1);
  const outcome = run.work.get(phase.key)?.outcome;
  if (!last || !outcome) return last;
  const { endedAt } = run.work.get(phase.key) ?? {};
  const why = outcome.result === 'succeeded' ? undefined : outcomeSentence(outcome);
  return { ...last, exitCode: outcome.exitCode, ...given({ endedAt, why }) };
}

/** A run as everybody may see it. */
export function detailOf(run: PipelineRun): PipelineDetail {
  const phases = run.definition.phases.flatMap((phase) =>
    phase.instances.map((instance) => shownPhase(run, { phase, instance })),
  );
  return { ...Pipeline.parse(run.pipeline), source: run.pipeline.source, phases };
}

function shownPhase(run: PipelineRun, { phase, instance }: PhasePlace): PipelinePhase {
  const { key, title } = instance;
  const common = { key, phase: phase.id, title, kind: phase.does.kind, needs: [...phase.needs] };
  const stored = run.phases.get(key);
  if (!stored) return { ...common, state: 'waiting', tries: [] };
  const { stops: _stops, ...shown } = stored;
  const why = stored.why ?? run.work.get(key)?.why;
  return { ...shown, ...common, ...given({ why }) };
}

function factOf(run: PipelineRun, phase: StoredPhase): PhaseFact | null {
  switch (phase.state) {
    case 'waiting':
      return null;
    case 'running': {
      const ended = endOfWork(run, phase);
      return { state: 'running', ...given({ ended }) };
    }
    case 'asking': {
      const about = isGate(run, phase) ? 'approval' : 'failure';
      const end = endOfWork(run, phase);
      return { state: 'asking', about, ...given({ end }), ...said(run.prompts.get(phase.key)) };
    }
    case 'ended':
      return {
        state: 'ended',
        result: phase.result ?? 'failure',
        exitCode: phase.exitCode ?? ExitCode.failure,
        outputs: phase.outputs ?? {},
        endedAt: phase.endedAt ?? '',
        stops: phase.stops === true,
      };
    default:
      return phase.state satisfies never;
  }
}

/** A gate has no matrix, so that its key is its name. */
function isGate({ definition }: Pick<PipelineRun, 'definition'>, { key }: StoredPhase): boolean {
  return definition.phases.some(({ id, does }) => id === key && does.kind === 'approval');
}

function endOfWork(run: PipelineRun, { key, tries }: StoredPhase) {
  const last = tries.at(-1);
  if (!last) return undefined;
  if (last.exitCode !== undefined)
    return {
      result: last.exitCode === ExitCode.blocked ? 'blocked' : 'failed',
      exitCode: last.exitCode,
    } as const;
  const dispatch = run.work.get(key);
  // Somebody removed it with its thread.
  if (!dispatch) return { result: 'failed', exitCode: ExitCode.failure } as const;
  return dispatch.outcome && { result: dispatch.outcome.result, exitCode: dispatch.outcome.exitCode };
}

function said(prompt: ThreadPrompt | undefined): { readonly said?: string | null } {
  if (prompt && isOpen(prompt)) return {};
  const answer = prompt?.acceptedAt === undefined ? undefined : prompt.answers?.[0]?.answer[0];
  return { said: answer ?? null };
}
