import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PhaseWork, PipelineDefinition } from '../../domain/pipeline/definition.js';
import type { PipelineFacts } from '../../domain/pipeline/facts.js';
import { matrixVariable } from '../../domain/pipeline/matrix-variable.js';
import { scopeOf } from '../../domain/pipeline/phase-scope.js';
import { fillTemplate } from '../../domain/pipeline/template.js';
import type { DispatchRequest } from '../../protocol/dispatch.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { Posture } from '../../protocol/posture.js';
import type { StoredPipeline } from '../../store/stored-pipeline.js';
import type { PhasePlace } from './pipeline-run.js';

/** In whose name a pipeline gives work. */
export function pipelineActor({ name }: { readonly name: string }): string {
  return `pipeline:${name}`;
}

/** The work of a phase, with everything filled in that those before it said. */
export function phaseWork(
  pipeline: Pick<StoredPipeline, 'id' | 'name' | 'workspace' | 'noInput'>,
  {
    definition,
    place,
    facts,
    outputFile,
  }: {
    readonly definition: PipelineDefinition;
    readonly place: PhasePlace;
    readonly facts: PipelineFacts;
    readonly outputFile: string;
  },
): DispatchRequest {
  const { phase, instance } = place;
  const scope = scopeOf(definition, place, facts);
  const environment = Object.entries({ ...definition.env, ...phase.env }).map(
    ([name, template]) => [name, fillTemplate(template, scope)] as const,
  );
  const { does } = phase;
  const text = does.kind === 'agent' ? does.agent.prompt : (phase.text ?? []);
  const filled = fillTemplate(text, scope);
  const { retries, timeoutSeconds, verify, worktree } = phase;
  return {
    text: filled.trim() === '' ? instance.title : filled,
    title: `${pipeline.name}: ${instance.title}`.slice(0, 500),
    workspace: { path: pipeline.workspace.path, ...(worktree && { worktree: true }) },
    labels: { pipeline: pipeline.id, phase: instance.key },
    onFailure: 'end',
    ...(pipeline.noInput && { noInput: true }),
    ...given({ retries, timeoutSeconds, verify }),
    ...postureOf(does, {
      ...Object.fromEntries(environment),
      ...Object.fromEntries(
        Object.entries(instance.matrix).map(([name, value]) => [matrixVariable(name), value]),
      ),
      PIPELINE_ID: pipeline.id,
      PIPELINE_PHASE: instance.key,
      PIPELINE_OUTPUT: outputFile,
    }),
  };
}

/** Refuses to begin with a matrix that cannot be used. */
export function expectMatrix({ instance }: PhasePlace): void {
  if (instance.unfit) throw new Failure('invalid', instance.unfit.why);
}

/** Refuses to begin without the files that a phase is to begin with. */
export function expectFiles({ phase }: PhasePlace, { path }: { readonly path: string }): void {
  const missing = phase.files.find((file) => !existsSync(join(path, file)));
  if (missing !== undefined)
    throw new Failure('missing_file', `${missing}, which this phase needs, is not there.`);
}

function postureOf(
  does: PhaseWork,
  env: Record<string, string>,
): Pick<DispatchRequest, 'runtime' | 'permissions' | 'onSuccess' | 'budget' | 'posture'> {
  switch (does.kind) {
    case 'command':
      return { runtime: 'exec', posture: { command: shell(does.script), exitCodes: true, env } };
    case 'skill':
      return { runtime: 'exec', posture: { skill: does.skill, env } };
    case 'agent': {
      const { runtime, model, permissions, toolPreset, maxTurns, onSuccess, budget } = does.agent;
      const posture: Posture = { env, ...given({ model, toolPreset, maxTurns }) };
      return { posture, ...given({ runtime, permissions, onSuccess, budget }) };
    }
    case 'approval':
      throw new RangeError('A question is no work.');
    default:
      return does satisfies never;
  }
}

/** A script as one word of a command line. */
function shell(script: string): string {
  return `sh -e -c '${script.replaceAll("'", String.raw`'\''`)}'`;
}
