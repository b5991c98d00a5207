import type { PhaseDefinition, PipelineDefinition } from './definition.js';
import { asksForStatus } from './expression.js';
import type { PipelineFacts } from './facts.js';
import { laterInstances } from './matrix.js';
import { phaseEnds, scopeOf } from './phase-scope.js';

/**
 * The pipeline with the instances of every matrix whose values are known by now. Values come from what phases said that have
 * ended, which never changes again; so whoever asks, and however often, gets the same instances under the same keys.
 */
export function withKnownInstances(definition: PipelineDefinition, facts: PipelineFacts): PipelineDefinition {
  if (definition.phases.every(({ later }) => later === undefined)) return definition;
  // A matrix may be read from a phase that has one itself; each phase comes after those that it needs.
  const phases: PhaseDefinition[] = [];
  for (const phase of definition.phases)
    phases.push(known({ ...definition, phases: [...phases, phase] }, phase, facts));
  return { ...definition, phases };
}

function known(soFar: PipelineDefinition, phase: PhaseDefinition, facts: PipelineFacts): PhaseDefinition {
  const { later, needs, when, instances, id, title } = phase;
  const [unknown] = instances;
  if (later === undefined || unknown === undefined) return phase;
  // It was skipped or called off as a whole, or failed for good.
  if (facts.phases.get(unknown.key)?.state === 'ended') return phase;
  const areOver = needs.every((need) => {
    const before = soFar.phases.find((each) => each.id === need);
    return before !== undefined && phaseEnds(before, facts) !== null;
  });
  if (!areOver) return phase;
  const scope = scopeOf(soFar, { phase, instance: unknown }, facts);
  // What it needs has failed, so that it will be skipped, whatever was said.
  if (!scope.success && (when === undefined || !asksForStatus(when))) return phase;
  return { ...phase, instances: laterInstances({ id, title }, later, scope) };
}
