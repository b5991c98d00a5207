import { ExitCode } from '../../protocol/exit-code.js';
import type { PhaseDefinition, PhaseInstance, PipelineDefinition } from './definition.js';
import { asksForStatus, evaluate, isTrue } from './expression.js';
import {
  abortPipeline,
  approve,
  type EndedPhase,
  type PhaseFact,
  type PipelineFacts,
  type PipelineMove,
  retryPhase,
  skipPhase,
  type WorkEnd,
} from './facts.js';
import { isPassed, phaseEnds, scopeOf } from './phase-scope.js';

/**
 * What is to be done now, from everything that is known. It is asked again after every move, so a worker that was killed
 * anywhere makes the same next move. Nothing is to be done while work is under way, or a person is to decide; a pipeline
 * whose phases have all ended, ends.
 */
export function plan(definition: PipelineDefinition, facts: PipelineFacts): readonly PipelineMove[] {
  const isStopped =
    facts.isCancelled || [...facts.phases.values()].some((fact) => fact.state === 'ended' && fact.stops);
  const moves = definition.phases.flatMap((phase) =>
    phase.instances.flatMap((instance) => {
      const fact = facts.phases.get(instance.key);
      if (fact?.state === 'ended') return [];
      const why = stopReason(phase, facts, isStopped);
      if (why !== null) return [stopMove(instance.key, fact, why)].flat();
      return fact ? moveOn(phase, { key: instance.key, fact }, facts) : [];
    }),
  );
  const begun = isStopped ? [] : beginnings(definition, facts);
  const all = [...moves, ...begun];
  const isOver = definition.phases.every((phase) => phaseEnds(phase, facts) !== null);
  return isOver ? [endMove(definition, facts)] : all;
}

/** Why nothing of a phase is wanted any more. */
function stopReason(phase: PhaseDefinition, facts: PipelineFacts, isStopped: boolean): string | null {
  if (facts.isCancelled) return 'the pipeline was cancelled';
  if (isStopped) return 'the pipeline was aborted';
  const hasFailed =
    phase.failFast &&
    !phase.continueOnError &&
    phase.instances.some(({ key }) => {
      const fact = facts.phases.get(key);
      return fact?.state === 'ended' && fact.result === 'failure';
    });
  return hasFailed ? 'another one of the matrix failed' : null;
}

function stopMove(
  key: string,
  fact: Exclude<PhaseFact, EndedPhase> | undefined,
  why: string,
): PipelineMove[] {
  // What is done is done, whatever was called off meanwhile.
  if (fact?.state === 'running' && fact.ended?.result === 'succeeded')
    return [{ do: 'settle', key, result: 'success', exitCode: ExitCode.success }];
  if (fact?.state === 'running' && !fact.ended) return [{ do: 'cancel', key }];
  return [{ do: 'settle', key, result: 'cancelled', exitCode: ExitCode.interrupted, why }];
}

/** What follows from how the work of an instance stands. */
function moveOn(
  phase: PhaseDefinition,
  { key, fact }: { readonly key: string; readonly fact: Exclude<PhaseFact, EndedPhase> },
  { noInput }: PipelineFacts,
): PipelineMove[] {
  switch (fact.state) {
    case 'running':
      return fact.ended ? [afterWork(phase, key, { end: fact.ended, noInput })] : [];
    case 'asking':
      return fact.said === undefined ? [] : [afterAnswer(key, fact, fact.said)];
    default:
      return fact satisfies never;
  }
}

function afterWork(
  phase: PhaseDefinition,
  key: string,
  { end, noInput }: { readonly end: WorkEnd; readonly noInput: boolean },
): PipelineMove {
  const { result, exitCode } = end;
  if (result === 'succeeded') return { do: 'settle', key, result: 'success', exitCode };
  if (result === 'cancelled')
    return { do: 'settle', key, result: 'cancelled', exitCode, why: 'its work was cancelled' };
  if (phase.continueOnError || phase.onFailure === 'end' || noInput)
    return { do: 'settle', key, result: 'failure', exitCode };
  return { do: 'escalate', key, end };
}

function afterAnswer(
  key: string,
  { about, end }: Extract<PhaseFact, { state: 'asking' }>,
  said: string | null,
): PipelineMove {
  if (about === 'approval')
    return said === approve
      ? { do: 'settle', key, result: 'success', exitCode: ExitCode.success }
      : {
          do: 'settle',
          key,
          result: 'failure',
          exitCode: ExitCode.blocked,
          why: said === null ? 'nobody approved it' : 'it was rejected',
        };
  const exitCode = end?.exitCode ?? ExitCode.failure;
  if (said === retryPhase) return { do: 'again', key };
  if (said === skipPhase)
    return { do: 'settle', key, result: 'waived', exitCode, why: 'a person said to go on without it' };
  const why = said === abortPipeline ? 'a person aborted the pipeline' : 'nobody said to go on';
  return { do: 'settle', key, result: 'failure', exitCode, why, stops: true };
}

/** What can begin, or is skipped, now that what it needs has ended; never more at once than may be. */
function beginnings(definition: PipelineDefinition, facts: PipelineFacts): PipelineMove[] {
  const byId = new Map(definition.phases.map((phase) => [phase.id, phase]));
  const isRunning = ({ key }: PhaseInstance) => facts.phases.get(key)?.state === 'running';
  let room =
    definition.maxParallel - definition.phases.flatMap(({ instances }) => instances).filter(isRunning).length;
  const moves: PipelineMove[] = [];
  for (const phase of definition.phases) {
    const waiting = phase.instances.filter(({ key }) => !facts.phases.has(key));
    if (waiting.length === 0 || stopReason(phase, facts, false) !== null) continue;
    const isReady = phase.needs.every((id) => {
      const needed = byId.get(id);
      return needed !== undefined && phaseEnds(needed, facts) !== null;
    });
    if (!isReady) continue;
    let roomOfPhase = phase.maxParallel - phase.instances.filter(isRunning).length;
    for (const instance of waiting) {
      const { key } = instance;
      const wanted = isWanted(definition, { phase, instance }, facts);
      if (!wanted || instance.unfit?.isEmpty) {
        const why = skipReason(phase, wanted ? instance : {});
        moves.push({ do: 'settle', key, result: 'skipped', exitCode: ExitCode.success, why });
      } else if (phase.does.kind === 'approval') {
        moves.push(facts.noInput ? unasked(key) : { do: 'ask', key });
      } else if (room > 0 && roomOfPhase > 0) {
        room -= 1;
        roomOfPhase -= 1;
        moves.push({ do: 'start', key });
      }
    }
  }
  return moves;
}

function skipReason({ when }: PhaseDefinition, { unfit }: Pick<PhaseInstance, 'unfit'>): string {
  if (unfit) return unfit.why;
  return when === undefined ? 'what it needs has not succeeded' : 'its condition does not hold';
}

function unasked(key: string): PipelineMove {
  return {
    do: 'settle',
    key,
    result: 'failure',
    exitCode: ExitCode.blocked,
    why: 'it needs an approval, and nobody is asked',
  };
}

function isWanted(
  definition: PipelineDefinition,
  place: { readonly phase: PhaseDefinition; readonly instance: PhaseInstance },
  facts: PipelineFacts,
): boolean {
  const scope = scopeOf(definition, place, facts);
  const { when } = place.phase;
  if (when === undefined) return scope.success;
  return (scope.success || asksForStatus(when)) && isTrue(evaluate(when, scope));
}

/** The pipeline's own exit code is that of what stopped it: of several, of the first. */
function endMove(definition: PipelineDefinition, facts: PipelineFacts): PipelineMove {
  if (facts.isCancelled) return { do: 'end', result: 'cancelled', exitCode: ExitCode.interrupted };
  const ended = definition.phases.flatMap((phase) => {
    const ends = phaseEnds(phase, facts) ?? [];
    return phase.continueOnError && isPassed(phase, ends) ? [] : ends;
  });
  const first = (result: EndedPhase['result']) =>
    ended.filter((each) => each.result === result).toSorted((a, b) => compare(a, b))[0];
  const failed = ended.find(({ stops }) => stops) ?? first('failure');
  if (failed) return { do: 'end', result: 'failure', exitCode: failed.exitCode };
  if (first('cancelled')) return { do: 'end', result: 'cancelled', exitCode: ExitCode.interrupted };
  return { do: 'end', result: 'success', exitCode: ExitCode.success };
}

function compare(a: EndedPhase, b: EndedPhase): number {
  return a.endedAt < b.endedAt ? -1 : a.endedAt > b.endedAt ? 1 : 0;
}
